"""The pages: they read widgets, call core and hand events to components."""
