// SPDX-License-Identifier: MIT
#include <cblas.h>
#include <stddef.h>

// LAPACK of the same library. Its Fortran interface is declared here, since not every package of OpenBLAS brings
// lapacke.h: every argument by address, and the lengths of the texts behind the others.

/// Eigenvalues and eigenvectors of a symmetric matrix; see the documentation of LAPACK.
void dsyevd_(const char *jobz, const char *uplo, const blasint *n, double *a, const blasint *lda, double *w,
             double *work, const blasint *lwork, blasint *iwork, const blasint *liwork, blasint *info,
             size_t jobz_length, size_t uplo_length);
