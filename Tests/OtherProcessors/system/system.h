// SPDX-License-Identifier: MIT
// The functions of a C library that the model and the engine need.
#ifndef MURMURATION_SYSTEM_H
#define MURMURATION_SYSTEM_H

#include <stddef.h>

double atan2(double y, double x);
double cbrt(double x);
double cos(double x);
double exp(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double pow(double x, double y);
double sin(double x);

void *calloc(size_t count, size_t size);
void *malloc(size_t size);
void free(void *memory);
char *getenv(const char *name);

#endif
