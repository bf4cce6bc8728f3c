// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/standard_types.hpp"

#include <algorithm>
#include <array>

namespace cubind::gen::spec {
namespace {

constexpr std::array fundamental_types = std::to_array<std::string_view>(
    {"void", "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
     "unsigned long", "long long", "unsigned long long", "float", "double"});

constexpr std::array library_types =
    std::to_array<std::string_view>({"size_t", "ptrdiff_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
                                     "uint32_t", "uint64_t", "intptr_t", "uintptr_t"});

template <std::size_t count>
bool has(const std::array<std::string_view, count>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_standard_type(std::string_view name) {
    return has(fundamental_types, name) || has(library_types, name);
}

}  // namespace cubind::gen::spec
