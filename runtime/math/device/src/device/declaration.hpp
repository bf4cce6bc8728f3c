// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_device/precision.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE::math::device::detail {

/// Returns the type of elements in device code, "float2" for complex f32; "void" if the type needs a header.
std::string type_name(Precision precision, Domain domain);

/// Returns the size of an element in bytes.
std::size_t element_size(Precision precision, Domain domain);

/// Returns a struct SYMBOL_traits with these constants.
std::string traits_declaration(const std::string& symbol,
                               const std::vector<std::pair<const char*, unsigned long long>>& constants);

/// Returns the declaration of an extern "C" function with these parameters.
std::string function_declaration(const std::string& symbol, const std::string& parameters);

/// Throws std::invalid_argument unless the text is a name in C++. `owner` is the type of the description.
void check_symbol(const std::string& symbol, const char* owner);

/// Throws std::invalid_argument for 0 and for what has more than 31 bits. `what` is the member, as "GemmDescription::m".
void check_size(std::size_t size, const char* what);

}  // namespace CUBIND_NAMESPACE::math::device::detail
