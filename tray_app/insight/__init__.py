"""How the library stands: status and the check-up."""
