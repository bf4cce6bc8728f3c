// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "values/arguments.hpp"

namespace cubind::layers::validate {

/// One thing to look at in the calls of a function.
struct Check {
    enum class What : unsigned char {
        pointer,          ///< not null, unless nothing is to be there
        count,            ///< not negative
        enumerator,       ///< one that exists
        enumerators,      ///< the same of each element
        record,           ///< the same of each field
        handle,           ///< given by a call and not destroyed
        handles,          ///< the same of each element
    };
    What what;
    unsigned char parameter;
};

/// What a look at an argument gave: nothing, or the value and what is wrong with it.
using Complaint = std::optional<std::string>;

/// Everything that is to be looked at, in the order of the parameters.
std::vector<Check> checks_for(const reflection::Function& function);

Complaint check_pointer(const Call& call, unsigned char parameter);
Complaint check_count(const Call& call, unsigned char parameter);
Complaint check_enumerator(const Type& type, const void* data);
Complaint check_enumerators(const Call& call, unsigned char parameter);
Complaint check_record(const Call& call, unsigned char parameter);

}  // namespace cubind::layers::validate
