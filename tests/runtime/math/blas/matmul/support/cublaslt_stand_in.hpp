// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cubind::testing {

/// A matrix as cuBLASLt was told about it.
struct LtMatrix {
    int type = -1;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::int64_t leading = 0;
    std::int64_t batch = 1;
    std::int64_t offset = 0;

    /// Returns "48x80 ld 48", and "x2 +3840" for a batch.
    [[nodiscard]] std::string text() const;
};

/// A product that the stand-in for cuBLASLt has received.
struct LtProduct {
    int compute = 0;
    int scale = 0;
    std::map<int, std::int64_t> attributes = {};  ///< of the description, by cublasLtMatmulDescAttributes_t
    LtMatrix a, b, c, d;
    double alpha = 0, beta = 0;  ///< their real parts
    const void* a_data = nullptr;
    const void* b_data = nullptr;
    const void* c_data = nullptr;
    void* d_data = nullptr;
    std::uint64_t algorithm = 0;  ///< the number that the stand-in gave it
    void* workspace = nullptr;
    std::size_t workspace_size = 0;
    void* stream = nullptr;
};

/// The state of the stand-in. It computes nothing.
struct CublasLtStandIn {
    std::vector<LtProduct> products;
    std::map<int, std::uint64_t> preferences = {};          ///< of the latest search
    std::vector<std::size_t> workspaces = {1024, 0, 4096};  ///< of the algorithms, the best first
    std::map<std::uint64_t, int> microseconds = {};         ///< how long algorithms take on the device
    int requested = 0;                                      ///< algorithms in the latest search
    int searches = 0;                                       ///< for algorithms
    int handles = 0;                                        ///< that exist
    int objects = 0;                                        ///< descriptions that exist
    int status = 0;                                         ///< of products
    int status_of_search = 0;                               ///< of searches for algorithms
    std::size_t version = 130100;                           ///< cublasLtGetVersion
};

CublasLtStandIn& cublaslt_stand_in();

/// Replaces cuBLASLt while it exists.
class ScopedCublasLtStandIn {
public:
    ScopedCublasLtStandIn();
    ScopedCublasLtStandIn(const ScopedCublasLtStandIn&) = delete;
    ScopedCublasLtStandIn& operator=(const ScopedCublasLtStandIn&) = delete;
    ~ScopedCublasLtStandIn();
};

}  // namespace cubind::testing
