// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/strided/strided_view.hpp>

#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core_test.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The largest number of a Dimensions.
inline constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

/// Arrays on the host and on two simulated devices.
class StridedTest : public CoreTest {
protected:
    static std::vector<int> numbers(std::size_t count) {
        std::vector<int> values(count);
        std::iota(values.begin(), values.end(), 0);
        return values;
    }
    /// Returns a view of the values without a call of the driver.
    static StridedView host_view(std::vector<int>& values, const Dimensions& shape, const Dimensions& strides = {}) {
        return StridedView({.data = values.data(), .dtype = data_type<int>, .shape = shape, .strides = strides});
    }
    /// Returns the elements of a view of host memory in row-major order.
    static std::vector<int> elements_of(const StridedView& view) {
        if (view.rank() == 0) return {*static_cast<const int*>(view.data())};
        std::vector<int> found;
        for (std::int64_t i = 0; i < view.shape()[0]; ++i) {
            for (const int value : elements_of(view.select(0, i))) found.push_back(value);
        }
        return found;
    }
    template <class Operation>
    static std::string mistake(Operation operation) {
        return message_of<std::invalid_argument>(operation);
    }

    Device device{0};
};

}  // namespace cubind::testing
