"""What the embedded model writes a report with: quotations, chosen and put in order."""
