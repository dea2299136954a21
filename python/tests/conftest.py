"""Products of matrices take one thread each: on a busy machine the threads of a product mostly wait for each other."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
