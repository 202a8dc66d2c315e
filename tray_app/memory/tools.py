"""The names of the agents' tools and of shell programs, by what they do. Words only, no rule."""

from __future__ import annotations

_WRITES = """
    write edit multiedit notebookedit apply_patch applypatch apply_diff write_file writefile edit_file editfile replace
    str_replace strreplacefile str_replace_editor str_replace_based_edit_tool create_file createfile write_to_file
    replace_in_file insert_content search_and_replace search_replace create patch update_file insert_edit_into_file
    replace_string_in_file multi_replace_string_in_file edit_notebook edit_notebook_file insert
"""
_READS = """
    read readfile read_file view view_file open_file read_many_files readmanyfiles notebookread cat
"""
_SHELLS = """
    bash shell shell_command exec_command run_shell_command run_command execute_command terminal run_terminal_cmd
    run_terminal_command run_in_terminal powershell local_shell local_shell_call unified_exec bashtool execute
"""
_PLANS = """
    update_plan updateplan set_plan taskcreate taskupdate
"""
_TRIVIAL = """
    ls cat cd pwd echo grep egrep rg ag find fd head tail sed awk wc which where whereis type tree stat file du df ps env
    printenv export set unset source sleep true false test date whoami id uname man less more open clear history printf sort
    uniq diff touch mkdir cp mv rm chmod chown ln kill pkill tee xargs jq read command basename dirname realpath nl exit
"""
_TRIVIAL_GIT = """
    status log diff show branch add blame stash remote rev-parse config ls-files fetch worktree
"""
_SUBCOMMANDS = """
    git npm pnpm yarn bun deno cargo go docker podman container kubectl helm make just dotnet mvn mvnw gradle gradlew pip
    pip3 uv poetry pdm conda terraform gh brew apt apt-get systemctl rails rake composer swift flutter dart ng nx turbo
    bazel
"""
_LEADS = """
    sudo time timeout nice nohup npx bunx pnpx exec command stdbuf xvfb-run
"""
_INTERPRETERS = """
    python python3 py node ruby perl php bash sh zsh deno tsx ts-node
"""

WRITES = frozenset(_WRITES.split())
"""Tools that write files, in lower case, without the server in front."""
READS = frozenset(_READS.split())
SHELLS = frozenset(_SHELLS.split())
PLANS = frozenset(_PLANS.split())
TRIVIAL = frozenset(_TRIVIAL.split())
"""Programs that only look, or prepare."""
TRIVIAL_GIT = frozenset(_TRIVIAL_GIT.split())
SUBCOMMANDS = frozenset(_SUBCOMMANDS.split())
"""Programs whose first word says what they do."""
LEADS = frozenset(_LEADS.split())
"""What stands in front of the program proper."""
INTERPRETERS = frozenset(_INTERPRETERS.split())
