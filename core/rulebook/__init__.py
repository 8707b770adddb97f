"""READ: a PDF (or JSON Lines) becomes numbered clauses. Knows no database and no model."""
