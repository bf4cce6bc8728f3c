// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
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

/// The checks of all functions of a library. They are in one list, because thousands of functions have only a few checks each.
class LibraryChecks {
public:
    explicit LibraryChecks(const reflection::LibraryDescription& library);

    /// Returns the checks of the function with this position in the library, in the order of its parameters.
    std::span<const Check> of(std::size_t function) const noexcept {
        return std::span(all_).subspan(begins_[function], begins_[function + 1] - begins_[function]);
    }

private:
    std::vector<Check> all_;
    std::vector<std::size_t> begins_;  // in all_; ends with its size
};

Complaint check_pointer(const Call& call, unsigned char parameter);
Complaint check_count(const Call& call, unsigned char parameter);
Complaint check_enumerator(const Type& type, const void* data);
/// Sets `data` and `count` to the elements of an array that are checked; there are none if the array is null or its length
/// unknown.
Complaint check_elements(const Call& call, unsigned char parameter, const std::byte*& data, unsigned long long& count);
Complaint check_enumerators(const Call& call, unsigned char parameter);
Complaint check_record(const Call& call, unsigned char parameter);

}  // namespace CUBIND_NAMESPACE::layers::validate
