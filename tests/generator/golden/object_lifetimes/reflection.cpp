// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/reflection.hpp>

#include <cubind/detail/interceptor.hpp>
#include <cubind/toy/loading.hpp>
#include <cubind/toy/types.hpp>

namespace cubind::toy {
namespace {

using namespace cubind::reflection;

[[maybe_unused]] constexpr Enumerator enumerators_of_toyLabel[] = {
    {"TOY_FRAGILE", static_cast<long long>(TOY_FRAGILE)},
    {"TOY_HEAVY", static_cast<long long>(TOY_HEAVY)},
};
[[maybe_unused]] constexpr Enumerator enumerators_of_toyStatus[] = {
    {"TOY_OK", static_cast<long long>(TOY_OK)},
    {"TOY_NO_LIBRARY", static_cast<long long>(TOY_NO_LIBRARY)},
    {"TOY_NO_FUNCTION", static_cast<long long>(TOY_NO_FUNCTION)},
};

// Rows point to each other, whichever comes first.
struct Tables {
    static const Type types[18];
    static const Field fields[2];
    static const ObjectKind object_kinds[4];
    static const Parameter parameters[22];
    static const Effect effects[9];
    static const ObjectPlace places[2];
    static const Function functions[12];
    static void* originals[12];
    static const reflection::Library library;
};

template <std::size_t index, class Signature>
constexpr Function row(const char* symbol, const Type* returns, std::span<const Parameter> parameters, std::span<const Effect> effects,
                       std::span<const ObjectPlace> same_context) {
    return {symbol, returns, parameters, effects, same_context, detail::Invocation<Signature>::invoke,
            detail::Interceptor<Tables, index, Signature>::address};
}

constinit const Type Tables::types[] = {
    {.name = "toyBox", .kind = Kind::handle, .size = 8},
    {.name = "toyStatus", .kind = Kind::enumeration, .size = 4, .enumerators = enumerators_of_toyStatus},
    {.name = "int", .kind = Kind::signed_integer, .size = 4},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 4},
    {.name = "toyRoom", .kind = Kind::handle, .size = 8},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 2},
    {.name = "toyPlace", .kind = Kind::identifier, .size = 8},
    {.name = "unsigned long long", .kind = Kind::unsigned_integer, .size = 8},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 0},
    {.name = "toyLabel", .kind = Kind::enumeration, .is_bit_set = true, .size = 4, .enumerators = enumerators_of_toyLabel},
    {.name = "toyLabel", .kind = Kind::enumeration, .is_bit_set = true, .size = 4, .enumerators = enumerators_of_toyLabel},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 12},
    {.name = "toyParcel", .kind = Kind::record, .size = 16, .fields = {fields + 0, 2}},
    {.name = "toyParcel_st", .kind = Kind::record, .size = 16, .fields = {fields + 0, 2}},
    {.name = "size_t", .kind = Kind::unsigned_integer, .size = 8},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 16},
    {.name = "void", .kind = Kind::nothing, .size = 0},
    {.name = "", .kind = Kind::pointer, .size = 8, .inner = types + 6},
};

constinit const Field Tables::fields[] = {
    {"weight", types + 14, 0},
    {"content", types + 15, 8},
};

constinit const ObjectKind Tables::object_kinds[] = {
    {.name = "box", .is_in_context = true, .is_owned = true},
    {.name = "parcel", .is_owned = true},
    {.name = "place", .is_owned = true},
    {.name = "stay", .is_counted = true},
};

constinit const Parameter Tables::parameters[] = {
    {"box", types + 0},
    {"number", types + 2},
    {"room", types + 3, Direction::out, Shape::value, false},
    {"number", types + 2},
    {"room", types + 3, Direction::out, Shape::value, false},
    {"box", types + 0},
    {"recording", types + 5, Direction::out, Shape::value, false},
    {"first", types + 0},
    {"second", types + 0},
    {"place", types + 6},
    {"unlessRecorded", types + 0},
    {"box", types + 8, Direction::out, Shape::value, false},
    {"labels", types + 9},
    {"box", types + 8, Direction::out, Shape::value, false},
    {"labels", types + 9},
    {"flags", types + 2},
    {"parcel", types + 11, Direction::out, Shape::value, false},
    {"box", types + 0},
    {"places", types + 17, Direction::out, Shape::array, false, { 1, 2, 3 }},
    {"rows", types + 2},
    {"columns", types + 2},
    {"content", types + 15, Direction::in, Shape::opaque, false},
};

constinit const Effect Tables::effects[] = {
    {.what = Effect::What::ends, .kind = object_kinds + 0, .object = { 0, 0 }},
    {.what = Effect::What::ends_contents, .object = { 0, 0 }},
    {.what = Effect::What::begins, .kind = object_kinds + 3, .object = { 1, 0 }, .owning = 0},
    {.what = Effect::What::ends, .kind = object_kinds + 2, .object = { 0, 0 }, .uncaptured = 1},
    {.what = Effect::What::begins, .kind = object_kinds + 0, .object = { 0, 0 }},
    {.what = Effect::What::begins, .kind = object_kinds + 0, .object = { 0, 0 }},
    {.what = Effect::What::begins, .kind = object_kinds + 1, .object = { 0, 8 }},
    {.what = Effect::What::begins, .kind = object_kinds + 2, .object = { 1, 0 }, .within = 0},
    {.what = Effect::What::ends, .kind = object_kinds + 1, .object = { 0, 0 }},
};

constinit const ObjectPlace Tables::places[] = {
    { 0, 0 },
    { 1, 0 },
};

constinit const Function Tables::functions[] = {
    row<0, toyStatus(toyBox)>("toyClose", types + 1, {parameters + 0, 1}, {effects + 0, 1}, {}),
    row<1, toyStatus(int)>("toyEmptyRoom", types + 1, {parameters + 1, 1}, {effects + 1, 1}, {}),
    row<2, toyStatus(toyRoom*, int)>("toyEnter", types + 1, {parameters + 2, 2}, {effects + 2, 1}, {}),
    row<3, toyStatus(toyRoom*)>("toyGetRoom", types + 1, {parameters + 4, 1}, {}, {}),
    row<4, toyStatus(toyBox, int*)>("toyIsRecording", types + 1, {parameters + 5, 2}, {}, {}),
    row<5, toyStatus(toyBox, toyBox)>("toyJoin", types + 1, {parameters + 7, 2}, {}, {places + 0, 2}),
    row<6, toyStatus(toyPlace, toyBox)>("toyLeave", types + 1, {parameters + 9, 2}, {effects + 3, 1}, {}),
    row<7, toyStatus(toyBox*, toyLabel)>("toyOpen", types + 1, {parameters + 11, 2}, {effects + 4, 1}, {}),
    row<8, toyStatus(toyBox*, toyLabel, int)>("toyOpen_v2", types + 1, {parameters + 13, 3}, {effects + 5, 1}, {}),
    row<9, toyStatus(toyParcel*)>("toyPack", types + 1, {parameters + 16, 1}, {effects + 6, 1}, {}),
    row<10, toyStatus(toyBox, toyPlace*, int, int)>("toyTakeAll", types + 1, {parameters + 17, 4}, {effects + 7, 1}, {}),
    row<11, toyStatus(void*)>("toyUnpack", types + 1, {parameters + 21, 1}, {effects + 8, 1}, {}),
};

constinit void* Tables::originals[] = {};

constinit const reflection::Library Tables::library = {
    .name = "toy",
    .loaded = toy::library,
    .entry_points = all_entry_points,
    .functions = functions,
    .originals = originals,
    .status = types + 1,
    .invalid_argument = TOY_NO_FUNCTION,
    .current_context = functions + 3,
    .is_capturing = functions + 4,
};

}  // namespace

const reflection::Library& reflection() noexcept { return Tables::library; }

}  // namespace cubind::toy
