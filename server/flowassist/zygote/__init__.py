"""What runs in the separate process that holds lfx: confinement, jobs, and the loop that serves them."""
