"""What one session hands to the next: checkpoint, card, pack, resume advice, snippets. No Qt, no SQL."""
