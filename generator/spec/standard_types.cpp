// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/standard_types.hpp"

#include <algorithm>
#include <array>

namespace cubind::gen::spec {
namespace {

constexpr std::array library_types =
    std::to_array<std::string_view>({"size_t", "ptrdiff_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
                                     "uint32_t", "uint64_t", "intptr_t", "uintptr_t"});

constexpr std::array fundamental_types = std::to_array<std::string_view>(
    {"void", "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
     "unsigned long", "long long", "unsigned long long", "float", "double"});

}  // namespace

bool is_in_std(std::string_view name) {
    return std::find(library_types.begin(), library_types.end(), name) != library_types.end();
}

bool is_standard_type(std::string_view name) {
    return is_in_std(name) || std::find(fundamental_types.begin(), fundamental_types.end(), name) != fundamental_types.end();
}

}  // namespace cubind::gen::spec
