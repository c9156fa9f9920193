"""A server for assistants that speak the Model Context Protocol (extra `pincite[mcp]`)."""
