"""How good what comes out is: placement, checks, comparisons, audits, against what is known to be right."""
