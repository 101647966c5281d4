"""Sessions that wait for a worker: Procrastinate's queue, its jobs, and what came of them."""
