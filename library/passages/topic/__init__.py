"""What a topic is about, learnt from the passages that fit it, and how near others come to that."""
