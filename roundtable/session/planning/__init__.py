"""Before the first turn: the plan as a person sees and changes it, and who sits at the table."""
