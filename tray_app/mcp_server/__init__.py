"""The front end for agents: an MCP server on stdio. Only this package imports `mcp`; it asks `service.backend.Backend` alone."""
