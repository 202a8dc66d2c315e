"""Measuring how well the search finds: known sessions are indexed, known questions asked, and the answers compared."""
