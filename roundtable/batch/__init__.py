"""Many topics, a session each: begun, followed, taken up again, and listed with what came of them."""
