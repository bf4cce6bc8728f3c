// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace cubind::testing {

/// A call of the stand-ins for cuSOLVER and cuBLAS.
struct SolverRecord {
    std::string text;                     ///< "Xgetrf m=3 n=3 A=1 lda=3 ...": numbers, and the values of enumerators
    std::vector<const void*> addresses;   ///< of the operands, in the order of the parameters
    void* stream = nullptr;               ///< of the handle
    std::size_t device_bytes = 0;         ///< workspace on the device
    const void* device_memory = nullptr;  ///< its address
    std::size_t host_bytes = 0;           ///< workspace on the host
    const void* host_memory = nullptr;    ///< its address
};

/// The state of the stand-ins. Of matrices of double, the stand-ins write numbers that tell where each element must be:
///
/// - Xgetrs, Xpotrs and the multiplication by Q leave the right-hand sides as they are; trsm does, too.
/// - Xsyevd leaves the matrix as it is, and writes 1, 2, 3, ... as eigenvalues.
/// - Xgesvd and Xgesvdp write 1000 + 10 i + j to U and 2000 + 10 i + j to the matrix of the right vectors.
/// - pack and unpack copy triangles.
struct SolverStandIn {
    std::vector<SolverRecord> calls;                  ///< without those of handles and sizes
    std::set<std::string, std::less<>> missing = {};  ///< functions that the library does not have
    std::size_t device_bytes = 1000;                  ///< what the functions for sizes return
    std::size_t host_bytes = 0;                       ///< the same for the host
    std::vector<int> info = {0};                      ///< what decompositions write as devInfo
    bool is_passive = false;                          ///< whether no call writes memory
    int handles = 0;                                  ///< created and not destroyed
    int status = 0;                                   ///< what calls that submit work return
};

SolverStandIn& solver_stand_in();

/// Installs the stand-ins with a new state for its lifetime.
class ScopedSolverStandIn {
public:
    ScopedSolverStandIn();
    ScopedSolverStandIn(const ScopedSolverStandIn&) = delete;
    ScopedSolverStandIn& operator=(const ScopedSolverStandIn&) = delete;
    ~ScopedSolverStandIn();
};

}  // namespace cubind::testing
