"""The server around the pages: who may connect, and that what a page sends is taken."""
