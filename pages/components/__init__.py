"""How events, answers, citations and documents look. Nothing here decides about a run."""
