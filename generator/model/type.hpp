// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cubind::gen::model {

/// A C type as a tree.
struct Type {
    enum class Kind { named, pointer, array, function };

    Kind kind = Kind::named;
    std::string name;  ///< name of a named type
    bool is_const = false;
    std::shared_ptr<const Type> inner;  ///< pointee, element or result
    std::int64_t extent = 0;            ///< extent of an array
    std::vector<Type> arguments;        ///< parameter types of a function

    bool is_pointer() const { return kind == Kind::pointer; }
    bool is_void() const { return kind == Kind::named && name == "void"; }
    bool is_function_pointer() const { return is_pointer() && inner->kind == Kind::function; }
    /// Returns whether the object, or each element of the array, is constant.
    bool is_constant() const { return kind == Kind::array ? inner->is_constant() : is_const; }
};

/// Parses a type such as "const char *const *", "int[4][2]", "int (*)[3]" or "void (*)(void *, int)". Throws InputError with
/// `place` for any other text.
Type parse_type(const std::string& text, const std::string& place);

/// Calls `visit` with each named type that `type` mentions. `by_value` is true if the definition of that type must be known.
void for_each_name(const Type& type, const std::function<void(const std::string& name, bool by_value)>& visit);

/// Returns the form of a type name in generated code, such as "::CUctx_st" for the opaque struct "CUctx_st".
using Qualify = std::function<std::string(const std::string& name)>;

/// Returns the C++ text of the type alone: "const char* const*".
std::string print_type(const Type& type, const Qualify& qualify);

/// Returns the C++ text that declares `name` with the type: "int (*callback)(void*)", "char name[16]".
std::string print_declaration(const Type& type, const std::string& name, const Qualify& qualify);

}  // namespace cubind::gen::model
