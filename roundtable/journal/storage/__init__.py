"""The file that keeps events: its tables, its locks, and events of versions before."""
