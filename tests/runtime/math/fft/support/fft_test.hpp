// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/math/fft.hpp>

#include <complex>
#include <cstdint>
#include <string>

#include "cufft_stand_in.hpp"
#include "math_test.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr DataType f32 = data_type<float>;
constexpr DataType f64 = data_type<double>;
constexpr DataType f16 = DataType::float16();
constexpr DataType c64 = data_type<std::complex<float>>;
constexpr DataType c128 = data_type<std::complex<double>>;
constexpr DataType c32{DataTypeKind::complex, 32};

/// A view of memory that nobody reads.
inline StridedView view_at(std::uintptr_t address, DataType type, const Dimensions& shape, const Dimensions& strides = {}) {
    return StridedView({.data = reinterpret_cast<void*>(address),
                        .dtype = type,
                        .shape = shape,
                        .strides = strides,
                        .memory_type = MemoryType::device});
}

/// Tests with a stand-in for cuFFT and simulated devices.
class FftTest : public CoreTest {
protected:
    ~FftTest() override { EXPECT_EQ(stand_in().handles, 0); }

    void TearDown() override {
        stream_.close();
        CoreTest::TearDown();
    }

    static CufftStandIn& stand_in() { return cufft_stand_in(); }

    /// Returns what cuFFT receives for a plan of these operands.
    std::string plan_of(const StridedView& input, const StridedView& output, const math::FftOptions& options = {}) {
        stand_in().calls.clear();
        { const math::Fft transform(stream_, input, output, options); }
        const auto calls = stand_in().taken_calls();
        return calls.size() == 1 ? calls.front() : std::to_string(calls.size()) + " calls";
    }
    std::string refused(const StridedView& input, const StridedView& output, const math::FftOptions& options = {}) {
        return message_of<std::invalid_argument>([&] { const math::Fft transform(stream_, input, output, options); });
    }

private:
    ScopedCufftStandIn stand_in_;

protected:
    Stream stream_{Device()};
};

}  // namespace cubind::testing
