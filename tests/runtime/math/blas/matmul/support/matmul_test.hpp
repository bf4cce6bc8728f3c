// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/cublaslt/types.hpp>
#include <cubind/math/matmul.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "cublaslt_stand_in.hpp"
#include "math_test.hpp"

namespace cubind::testing {

/// Tests with a stand-in for cuBLASLt and simulated devices.
class MatmulTest : public CoreTest {
protected:
    ~MatmulTest() override { EXPECT_EQ(stand_in().objects, 0); }

    static CublasLtStandIn& stand_in() { return cublaslt_stand_in(); }
    static const LtProduct& latest() { return stand_in().products.back(); }
    static std::int64_t attribute(cublaslt::cublasLtMatmulDescAttributes_t which) {
        const auto found = latest().attributes.find(static_cast<int>(which));
        return found == latest().attributes.end() ? -1 : found->second;
    }
    template <class Call>
    static std::string message(const Call& call) {
        return message_of<std::invalid_argument>(call);
    }

    /// Returns a matrix of new memory, row-major unless strides are given.
    StridedView matrix(const Dimensions& shape, DataType type = data_type<float>, const Dimensions& strides = {}) {
        const Buffer buffer = Device(0).allocate(stream_, 1 << 20);
        return StridedView(buffer, type, shape, strides);
    }
    /// Returns a column-major matrix of new memory.
    StridedView columns(std::int64_t rows, std::int64_t count, DataType type = data_type<float>) {
        return matrix({rows, count}, type, {1, rows});
    }

private:
    ScopedCublasLtStandIn scoped_;

protected:
    Stream stream_{Device(0)};
    StridedView a_ = matrix({64, 80}), b_ = matrix({80, 48}), d_ = matrix({64, 48});
};

}  // namespace cubind::testing
