"""Many at once: sessions in a process, readers of a server, nodes of a cluster, and one of them killed."""
