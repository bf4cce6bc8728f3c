// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Common to the tests of products on a GPU.

#include <cubind/core.hpp>
#include <cubind/cublaslt/loading.hpp>
#include <cubind/cublaslt/status.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>
#include <cubind/math/matmul.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <iostream>
#include <optional>
#include <string>

#include "host_numbers.hpp"

namespace cubind::testing {

/// How a matrix is stored.
struct Storage {
    bool is_column_major = false;
    std::int64_t gap = 0;  ///< elements between the lines

    [[nodiscard]] Dimensions strides(std::int64_t rows, std::int64_t columns) const {
        return is_column_major ? Dimensions{1, rows + gap} : Dimensions{columns + gap, 1};
    }
};

class MatmulGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (!has_gpu()) GTEST_SKIP() << "there is no GPU";
        if (library_path(cublaslt::library()) == nullptr) GTEST_SKIP() << "cuBLASLt is missing";
        stream_.emplace(Device(0));
    }

    Stream& stream() { return *stream_; }
    StridedView matrix(const Numbers& numbers, DataType type, std::int64_t rows, std::int64_t columns,
                       const Storage& storage = {}) {
        return uploaded(stream(), numbers, type, {rows, columns}, storage.strides(rows, columns));
    }
    StridedView zeros(DataType type, std::int64_t rows, std::int64_t columns, const Storage& storage = {}) {
        return matrix(Numbers(static_cast<std::size_t>(rows * columns)), type, rows, columns, storage);
    }
    StridedView vector(const Numbers& numbers, DataType type) {
        return uploaded(stream(), numbers, type, {static_cast<std::int64_t>(numbers.size())}, {1});
    }
    Numbers values(const StridedView& view) { return downloaded(stream(), view); }

    /// Returns whether the library has the operation. Other failures are failures of the test.
    bool is_supported(const std::function<void()>& operation) {
        try {
            operation();
            return true;
        } catch (const Error& error) {
            if (error.code() != cublas::CUBLAS_STATUS_NOT_SUPPORTED && error.code() != cublas::CUBLAS_STATUS_INVALID_VALUE) throw;
            return false;
        }
    }

    RandomNumbers random_;
    std::optional<Stream> stream_;
};

/// Returns the product of matrices in row-major order.
inline Numbers product_of(const Numbers& a, const Numbers& b, std::size_t m, std::size_t n, std::size_t k) {
    Numbers d(m * n);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t p = 0; p < k; ++p) {
            for (std::size_t j = 0; j < n; ++j) d[i * n + j] += a[i * k + p] * b[p * n + j];
        }
    }
    return d;
}

inline double relu(double x) {
    return x > 0 ? x : 0;
}

inline double gelu(double x) {
    return x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))) / 2;
}

inline double gelu_slope(double x) {
    const double inner = 0.7978845608028654 * (x + 0.044715 * x * x * x), t = std::tanh(inner);
    return (1 + t) / 2 + x * (1 - t * t) / 2 * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

}  // namespace cubind::testing
