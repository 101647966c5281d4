"""One request to a model's server: providers, transport, faults, retries, limits."""
