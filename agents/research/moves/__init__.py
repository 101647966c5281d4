"""An expert's next move: what it may do, what it proposes, how that is checked, and what came of it."""
