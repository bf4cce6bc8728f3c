// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"

namespace cubind::gen::model {

/// How the loader calls the version function of a library.
struct VersionCall {
    enum class Form {
        none,           ///< there is no version function
        one_number,     ///< `status f(int *version)`
        two_numbers,    ///< `status f(int *major, int *minor)`
        three_numbers,  ///< `status f(int *major, int *minor, int *patch)`
        properties,     ///< `status f(property, int *value)`, once for each part
        returned,       ///< `size_t f()`
    };
    Form form = Form::none;
    std::vector<std::int64_t> weights;     ///< weights of the parts in the number; empty unless the form is one number
    std::vector<std::int64_t> properties;  ///< values that select major, minor and patch
};

/// Derives the call from the signature of the version function. Throws InputError if the library has no such function, or if its
/// signature has none of the forms above.
VersionCall version_call(const Model& model);

}  // namespace cubind::gen::model
