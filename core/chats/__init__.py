"""REMEMBER: conversations and their runs in SQL, and what one person may use. Advances no run and shows none."""
