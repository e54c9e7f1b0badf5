internal import Kernels
