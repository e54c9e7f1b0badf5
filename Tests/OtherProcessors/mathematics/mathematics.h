// SPDX-License-Identifier: MIT
#ifndef MURMURATION_MATHEMATICS_H
#define MURMURATION_MATHEMATICS_H

double atan2(double y, double x);
double cos(double x);
double exp(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double pow(double x, double y);
double sin(double x);

#endif
