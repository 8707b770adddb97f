"""MEASURE: question sets, put to the agent or to search alone, and measured."""
