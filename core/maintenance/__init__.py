"""MAINTAIN: the whole data folder looked at, mended, put into one archive and taken back from one."""
