"""What kernels call that computes nothing: registers, flags, barriers, queues, the clock, printing."""
