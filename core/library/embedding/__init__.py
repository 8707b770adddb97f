"""Which model makes vectors of texts, through LanceDB's registry. No vector is kept here."""
