"""What the desktop gives and wants: the screen that must be there, and starting at login. No Qt here."""
