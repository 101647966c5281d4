"""Programs that make the tables which the library ships: word vectors, months, units, currencies."""
