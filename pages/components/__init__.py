"""How things look: an event, an answer, a citation, a document. Nothing here decides anything about a run."""
