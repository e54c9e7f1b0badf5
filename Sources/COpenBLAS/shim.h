// SPDX-License-Identifier: MIT
#include <cblas.h>
