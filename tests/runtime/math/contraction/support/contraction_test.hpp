// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/cutensor.hpp>
#include <cubind/math/contraction.hpp>

#include <complex>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>

#include "cutensor_stand_in.hpp"
#include "math_test.hpp"

/// A number of 16 bits, for views of half.
struct HalfBits {
    std::uint16_t bits;
};
template <>
inline constexpr cubind::DataType cubind::data_type<HalfBits> = cubind::DataType::float16();

namespace cubind::testing {

/// Tests with a stand-in for cuTENSOR and simulated devices.
class ContractionTest : public CoreTest {
protected:
    ContractionTest() { Device(0).set_current(); }

    ~ContractionTest() override {  // the members of the test are destroyed
        EXPECT_EQ(stand_in().objects, 0);
        EXPECT_LE(stand_in().handles, 2) << "one for each device";
    }

    static CutensorStandIn& stand_in() { return cutensor_stand_in(); }

    /// Returns a tensor without gaps of new memory.
    template <class Element = float>
    StridedView tensor(const Dimensions& shape) {
        std::size_t count = 1;
        for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
        return StridedView(Device(0).allocate(stream_, std::max<std::size_t>(count, 1) * sizeof(Element)), data_type<Element>,
                           shape);
    }
    /// Returns the address of the first element as the stand-in writes it.
    static std::string address(const math::Operand& operand) {
        std::ostringstream text;
        text << operand.data();
        return text.str();
    }
    /// Returns the latest line that begins with this text.
    static std::string latest(const std::string& beginning) {
        const auto lines = stand_in().lines(beginning);
        return lines.empty() ? "no line begins with " + beginning : lines.back();
    }
    /// Returns the message of the refusal of a plan.
    template <class... Arguments>
    std::string refusal(const Arguments&... arguments) {
        return message_of<std::invalid_argument>([&] { math::contract(stream_, arguments...); });
    }

private:
    ScopedCutensorStandIn stand_in_;

protected:
    Stream stream_{Device(0)};
};

}  // namespace cubind::testing
