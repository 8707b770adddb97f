"""The model that needs no key and no network: it classifies by rules, quotes, scores by measures.

It writes no sentence about a rule of its own, and says so when it does not find one.
"""
