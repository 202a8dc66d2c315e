"""Back ends for vectors."""
