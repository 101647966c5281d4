"""Which sections a report has, from which branches of the map."""
