internal import Murmuration
