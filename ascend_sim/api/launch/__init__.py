"""An NPU, and kernels that it launches on several cores."""
