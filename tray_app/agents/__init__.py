"""Agents as users: what their hooks are told, and the entries of ours in their own configs.

Nothing here is ever done unasked: `install` is the one place that writes below an agent's folder, only its configs, and only
on the command of that name. No Qt, no database, no MCP.
"""
