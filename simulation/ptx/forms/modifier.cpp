// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/forms/modifier.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

struct Type {
    std::string_view name;
    int bytes;
};

constexpr Type types[] = {
    {".b8", 1},     {".u8", 1},     {".s8", 1},    {".b16", 2},   {".u16", 2},   {".s16", 2},    {".f16", 2},
    {".bf16", 2},   {".b32", 4},    {".u32", 4},   {".s32", 4},   {".f16x2", 4}, {".bf16x2", 4}, {".tf32", 4},
    {".f32", 4},    {".b64", 8},    {".u64", 8},   {".s64", 8},   {".f64", 8},   {".b128", 16},  {".pred", 0},
    {".e4m3x2", 2}, {".e5m2x2", 2}, {".u16x2", 4}, {".s16x2", 4}, {".f32x2", 8}, {".e4m3", 1},   {".e5m2", 1},
};

}  // namespace

int bytes_of_type(std::string_view type) noexcept {
    for (const Type& each : types) {
        if (each.name == type) return each.bytes;
    }
    return -1;
}

std::string_view Modifiers::type(std::size_t from_end) const noexcept {
    for (auto each = all_.rbegin(); each != all_.rend(); ++each) {
        if (bytes_of_type(*each) >= 0 && from_end-- == 0) return *each;
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
