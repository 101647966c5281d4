"""Commands that have a table at work, or a report written."""
