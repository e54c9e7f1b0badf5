// SPDX-License-Identifier: MIT
#ifndef CPROCESSOR_H
#define CPROCESSOR_H
#endif
