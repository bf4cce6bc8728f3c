// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/cudss/types.hpp>
#include <cubind/cusparse/types.hpp>
#include <cubind/math_sparse.hpp>

#include <complex>
#include <cstdint>
#include <string>

#include "math_test.hpp"
#include "sparse_record.hpp"

namespace cubind::testing {

/// Tests with stand-ins for cuSPARSE and cuDSS, and simulated devices.
class SparseTest : public CoreTest {
protected:
    ~SparseTest() override { EXPECT_EQ(record().living, 0); }  // the members of the test are destroyed

    static SparseRecord& record() { return sparse_record(); }
    static std::vector<std::string>& calls() { return record().calls; }

    /// Allocates elements, whose address has this name in the texts of calls.
    template <class Element>
    TypedBuffer<Element> array(const std::string& name, std::size_t count, int device = 0) {
        TypedBuffer<Element> buffer = Device(device).allocate<Element>(device == 0 ? stream_ : other_stream_, count);
        if (count > 0) record().names[reinterpret_cast<void*>(buffer.native_handle())] = name;
        return buffer;
    }
    /// Allocates elements of 16 bits as a view.
    StridedView halves(const std::string& name, const Dimensions& shape, DataType type = DataType::float16()) {
        std::int64_t count = 1;
        for (const std::int64_t extent : shape) count *= extent;
        const auto buffer = array<std::uint16_t>(name, static_cast<std::size_t>(count));
        return StridedView(buffer.bytes(), type, shape);
    }
    /// Returns 3 x 4 with 5 entries.
    math::SparseMatrix csr() { return math::SparseMatrix::csr({3, 4}, offsets_, columns_, values_); }
    /// Returns 3 x 3 with 5 entries.
    math::SparseMatrix square() { return math::SparseMatrix::csr({3, 3}, offsets_, columns_, values_); }

private:
    ScopedSparseStandIns stand_ins_;

protected:
    Stream stream_{Device(0)};
    Stream other_stream_{Device(1)};
    TypedBuffer<int> offsets_ = array<int>("offsets", 4);
    TypedBuffer<int> columns_ = array<int>("columns", 5);
    TypedBuffer<float> values_ = array<float>("values", 5);
};

}  // namespace cubind::testing
