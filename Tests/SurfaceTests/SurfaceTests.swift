// SPDX-License-Identifier: MIT
import CSurface
import Testing
