"""How an expert researches one question: rounds of searching, reading and computing, until it answers."""
