"""After the last turn: what was not found is searched for once more, and the report is written."""
