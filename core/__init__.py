"""The core of Scrutineer, without a user interface: read, keep, find, think, remember."""
