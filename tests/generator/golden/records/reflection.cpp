// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/reflection.hpp>

#include <cubind/detail/interceptor.hpp>
#include <cubind/toy/loading.hpp>
#include <cubind/toy/types.hpp>

namespace cubind::toy {
namespace {

using namespace cubind::reflection;

[[maybe_unused]] constexpr Enumerator enumerators_of_toyStatus[] = {
    {"TOY_OK", static_cast<long long>(TOY_OK)},
    {"TOY_NO_LIBRARY", static_cast<long long>(TOY_NO_LIBRARY)},
    {"TOY_NO_FUNCTION", static_cast<long long>(TOY_NO_FUNCTION)},
};

// Rows point to each other, whichever comes first.
struct Tables {
    static const Type types[39];
    static const Field fields[26];
    static const Parameter parameters[3];
    static const Function functions[2];
    static void* originals[2];
    static const reflection::LibraryDescription library;
};

template <std::size_t index, class Signature>
constexpr Function row(const char* symbol, const Type* returns, std::span<const Parameter> parameters, std::span<const Effect> effects,
                       std::span<const ObjectPlace> same_context) {
    return {symbol, returns, parameters, effects, same_context, detail::Invocation<Signature>::invoke,
            detail::Interceptor<Tables, index, Signature>::address};
}

constinit const Type Tables::types[] = {
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 1},
    {.name = "toyLines", .kind = Kind::record, .size = 128, .fields = {fields + 1, 2}},
    {.name = "toyLines_st", .kind = Kind::record, .size = 128, .fields = {fields + 1, 2}},
    {.name = "toyLine", .kind = Kind::record, .size = 64, .fields = {fields + 0, 1}},
    {.name = "toyLine_st", .kind = Kind::record, .size = 64, .fields = {fields + 0, 1}},
    {.name = "", .kind = Kind::array, .size = 64, .inner = types + 6, .extent = 64},
    {.name = "unsigned char", .kind = Kind::unsigned_integer, .size = 1},
    {.name = "char", .kind = Kind::character, .size = 1},
    {.name = "toyStatus", .kind = Kind::enumeration, .size = 4, .enumerators = enumerators_of_toyStatus},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 10},
    {.name = "toyShape", .kind = Kind::record, .size = 176, .fields = {fields + 16, 7}},
    {.name = "toyShape_st", .kind = Kind::record, .size = 176, .fields = {fields + 16, 7}},
    {.name = "", .kind = Kind::array, .size = 16, .inner = types + 7, .extent = 16},
    {.name = "", .kind = Kind::array, .size = 96, .inner = types + 14, .extent = 3},
    {.name = "", .kind = Kind::array, .size = 32, .inner = types + 15, .extent = 4},
    {.name = "double", .kind = Kind::floating, .size = 8},
    {.name = "", .kind = Kind::array, .size = 16, .inner = types + 17, .extent = 2},
    {.name = "toyPoint", .kind = Kind::record, .size = 8, .fields = {fields + 3, 2}},
    {.name = "toyPoint_st", .kind = Kind::record, .size = 8, .fields = {fields + 3, 2}},
    {.name = "float", .kind = Kind::floating, .size = 4},
    {.name = "", .kind = Kind::record, .size = 8, .fields = {fields + 7, 2}},
    {.name = "int", .kind = Kind::signed_integer, .size = 4},
    {.name = "", .kind = Kind::record, .size = 4, .fields = {fields + 5, 2}},
    {.name = "short", .kind = Kind::signed_integer, .size = 2},
    {.name = "", .kind = Kind::record, .is_union = true, .size = 16, .fields = {fields + 11, 3}},
    {.name = "int64_t", .kind = Kind::signed_integer, .size = 8},
    {.name = "", .kind = Kind::record, .size = 16, .fields = {fields + 9, 2}},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 28},
    {.name = "void", .kind = Kind::nothing, .size = 0},
    {.name = "size_t", .kind = Kind::unsigned_integer, .size = 8},
    {.name = "toyCell_st", .kind = Kind::record, .size = 8, .fields = {fields + 14, 2}},
    {.name = "uint32_t", .kind = Kind::unsigned_integer, .size = 4},
    {.name = "", .kind = Kind::array, .size = 16, .inner = types + 30, .extent = 2},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 11},
    {.name = "toyPlain", .kind = Kind::record, .size = 8, .fields = {fields + 25, 1}},
    {.name = "toyWord", .kind = Kind::record, .is_union = true, .size = 8, .fields = {fields + 23, 2}},
    {.name = "toyWord_un", .kind = Kind::record, .is_union = true, .size = 8, .fields = {fields + 23, 2}},
    {.name = "uint64_t", .kind = Kind::unsigned_integer, .size = 8},
    {.name = "", .kind = Kind::array, .size = 8, .inner = types + 31, .extent = 2},
};

constinit const Field Tables::fields[] = {
    {"bytes", types + 5, 0},
    {"first", types + 3, 0},
    {"end", types + 7, 64},
    {"x", types + 19, 0},
    {"y", types + 19, 4},
    {"low", types + 23, 0},
    {"high", types + 23, 2},
    {"width", types + 21, 0},
    {"range", types + 22, 4},
    {"memory", types + 27, 0},
    {"bytes", types + 29, 8},
    {"number", types + 25, 0},
    {"point", types + 17, 0},
    {"", types + 26, 0},
    {"tag", types + 6, 0},
    {"value", types + 31, 4},
    {"name", types + 12, 0},
    {"matrix", types + 13, 16},
    {"corners", types + 16, 112},
    {"size", types + 20, 128},
    {"", types + 24, 136},
    {"cells", types + 32, 152},
    {"next", types + 33, 168},
    {"whole", types + 37, 0},
    {"halves", types + 38, 0},
    {"word", types + 35, 0},
};

constinit const Parameter Tables::parameters[] = {
    {"lines", types + 0, Direction::out, Shape::value, false},
    {"shape", types + 9, Direction::in, Shape::value, false},
    {"plain", types + 34},
};

constinit const Function Tables::functions[] = {
    row<0, toyStatus(toyLines*)>("toyCopyLines", types + 8, {parameters + 0, 1}, {}, {}),
    row<1, toyStatus(const toyShape*, toyPlain)>("toyDraw", types + 8, {parameters + 1, 2}, {}, {}),
};

constinit void* Tables::originals[] = {};

constinit const reflection::LibraryDescription Tables::library = {
    .name = "toy",
    .loaded = toy::library,
    .entry_points = all_entry_points,
    .functions = functions,
    .originals = originals,
    .status = types + 8,
    .invalid_argument = TOY_NO_FUNCTION,
    .current_context = nullptr,
    .is_capturing = nullptr,
};

}  // namespace

const reflection::LibraryDescription& reflection() noexcept { return Tables::library; }

}  // namespace cubind::toy
