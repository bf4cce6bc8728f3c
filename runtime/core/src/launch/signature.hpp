// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "launch/kernel_parameters.hpp"

/// The types of a kernel's parameters, as far as the code tells them.
namespace CUBIND_NAMESPACE::detail {

/// A parameter as the code describes it.
struct ParameterType {
    std::string text;    ///< its C++ type, or its type in PTX
    unsigned char code;  ///< see ArgumentKind
    std::size_t size;    ///< in bytes; 0 for a class, whose size the name does not tell
};

/// What the code tells of a kernel's parameters.
struct Signature {
    std::string name = {};  ///< the kernel's name without return type; of a C++ kernel with namespaces and template arguments
    std::vector<ParameterType> parameters = {};
    bool is_known = false;  ///< false if the code does not tell the parameters

    /// Returns whether the signature agrees with the number and the sizes that the driver reports. A name can be wrong: it may
    /// have been chosen by hand.
    bool agrees_with(const ParameterList& list) const noexcept;

    /// Returns the name and the types in parentheses.
    std::string to_string() const;
};

/// Returns the signature of the kernel with this symbol: from its mangled name if it has one, otherwise from the PTX, which may
/// be empty.
Signature signature_of(const std::string& symbol, std::string_view ptx);

/// Returns whether a value with the code `given` is certainly wrong for a parameter with the code `expected` and the same size.
bool is_wrong_type(unsigned char given, unsigned char expected) noexcept;

/// Describes the type of an argument: "a float", "a pointer to double", "an integer of 4 bytes".
std::string describe_type(unsigned char code, std::size_t size);

}  // namespace CUBIND_NAMESPACE::detail
