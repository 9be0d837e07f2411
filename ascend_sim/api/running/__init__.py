"""One block on one core while it runs: it plays programs, keeps them in order, reports what is wrong."""
