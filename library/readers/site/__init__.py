"""What a site says of its pages: where they lead, and which there are."""
