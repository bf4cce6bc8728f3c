// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace cubind::testing {

/// What the stand-in for cuBLAS has received. It computes nothing; results in memory of the host are `result`.
struct CublasStandIn {
    /// A line is "cublasDotEx_64 n=3 x=2 incx=1 y=2 incy=2 result=2 execution=0 mode=device", with numbers of cudaDataType.
    std::vector<std::string> calls = {};
    int handles = 0;                                  ///< created and not destroyed
    int next_status = 0;                              ///< what the next call returns, once
    std::vector<const void*> addresses = {};          ///< of the latest call: x, y, result or alpha
    std::complex<double> alpha = 0;                   ///< of the latest call that has one
    std::vector<std::byte> result = {};               ///< what reductions write to memory of the host
    std::map<const void*, const void*> streams = {};  ///< of handles
    int status_of_create = 0;                         ///< what cublasCreate returns
    int status_of_stream = 0;                         ///< what cublasSetStream returns
};

CublasStandIn& cublas_stand_in();

/// Replaces cuBLAS while it exists.
class ScopedCublasStandIn {
public:
    ScopedCublasStandIn();
    ScopedCublasStandIn(const ScopedCublasStandIn&) = delete;
    ScopedCublasStandIn& operator=(const ScopedCublasStandIn&) = delete;
    ~ScopedCublasStandIn();
};

}  // namespace cubind::testing
