"""What drafts answers: one file per kind of backend, each imported when it is asked for."""
