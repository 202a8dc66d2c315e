"""What a project is known by: its memories, checkpoints, archived sessions and long documents. No Qt, no SQL."""
