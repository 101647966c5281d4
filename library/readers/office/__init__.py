"""Tables, slides, books, letters and notebooks to text, in a worker process."""
