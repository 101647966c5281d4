"""What a person asked for, made definite against the session as it stands."""
