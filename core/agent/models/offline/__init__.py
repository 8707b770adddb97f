"""The model that needs no key and no network: it classifies by rules, quotes whole sentences and scores by measures.

It writes no sentence about a rule of its own; what it cannot find it says it did not find.
"""
