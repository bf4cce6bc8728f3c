// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE::math::device::detail {

/// One operator of a description, as libmathdx receives it.
struct Setting {
    int number;                     ///< the enumerator of the family's operators
    std::vector<long long> values;  ///< one value, or an array of any length
    bool is_array;
};

/// What a description asks of libmathdx.
struct Request {
    std::string description;  ///< for messages, such as "FFT of 256 elements: f32, ..."
    std::string symbol;       ///< the name in device code
    std::string arch;         ///< "sm_90"
    std::vector<Setting> settings = {};

    /// Adds an operator with one value, e.g. an enumerator.
    template <class Operator, class Value>
    void set(Operator number, Value value) {
        settings.push_back({static_cast<int>(number), {static_cast<long long>(value)}, false});
    }
    /// Adds an operator with an array.
    template <class Operator>
    void set_array(Operator number, std::vector<long long> values) {
        settings.push_back({static_cast<int>(number), std::move(values), true});
    }
};

}  // namespace CUBIND_NAMESPACE::math::device::detail
