"""What a model is asked when a report is written: each task with the texts of its prompt."""
