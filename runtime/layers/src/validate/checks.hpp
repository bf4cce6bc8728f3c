// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "values/arguments.hpp"

namespace CUBIND_NAMESPACE::layers::validate {

/// One check of an argument.
struct Check {
    enum class What : unsigned char {
        pointer,      ///< is not null, unless it points to 0 elements
        count,        ///< is not negative
        enumerator,   ///< is an enumerator
        enumerators,  ///< each element is an enumerator
        record,       ///< each enumeration in a field is zero or an enumerator
        handle,       ///< was returned by a call and not destroyed
        handles,      ///< each element was returned by a call and not destroyed
    };
    What what;
    unsigned char parameter;  ///< position of the parameter
};

/// Result of a check: nothing if the argument is valid, otherwise a text with the value and the mistake.
using Complaint = std::optional<std::string>;

/// Returns the checks of a function in the order of its parameters.
std::vector<Check> checks_for(const reflection::Function& function);

Complaint check_pointer(const Call& call, unsigned char parameter);
Complaint check_count(const Call& call, unsigned char parameter);
Complaint check_enumerator(const Type& type, const void* data);
/// Sets `data` and `count` to the elements of an array that are checked; there are none if the array is null or its length
/// unknown.
Complaint check_elements(const Call& call, unsigned char parameter, const std::byte*& data, unsigned long long& count);
Complaint check_enumerators(const Call& call, unsigned char parameter);
Complaint check_record(const Call& call, unsigned char parameter);

}  // namespace CUBIND_NAMESPACE::layers::validate
