"""The server's side of the sandbox: it starts the process that holds lfx, queues jobs, and reads claims."""
