// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/data_type.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {
namespace {

// The first part of the name, and whether the name has no bits.
struct KindName {
    const char* name;
    bool is_whole;
};

constexpr KindName kind_names[] = {{"int", false},           {"uint", false},
                                   {"float", false},         {"handle", false},
                                   {"bfloat", false},        {"complex", false},
                                   {"bool", true},           {"float8_e3m4", true},
                                   {"float8_e4m3", true},    {"float8_e4m3b11fnuz", true},
                                   {"float8_e4m3fn", true},  {"float8_e4m3fnuz", true},
                                   {"float8_e5m2", true},    {"float8_e5m2fnuz", true},
                                   {"float8_e8m0fnu", true}, {"float6_e2m3fn", true},
                                   {"float6_e3m2fn", true},  {"float4_e2m1fn", true}};

}  // namespace

std::string to_string(DataType type) {
    const auto index = static_cast<std::size_t>(type.kind);
    std::string text;
    if (index < sizeof kind_names / sizeof *kind_names) {
        text = kind_names[index].name;
        if (!kind_names[index].is_whole) text += std::to_string(type.bits);
    } else {
        text = detail::concat("type ", index, " of ", type.bits, " bits");
    }
    if (type.lanes != 1) text += detail::concat("x", type.lanes);
    return text;
}

}  // namespace CUBIND_NAMESPACE
