// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/reflection.hpp>

#include <cubind/detail/interceptor.hpp>
#include <cubind/toy/loading.hpp>
#include <cubind/toy/types.hpp>

// Entries refer to each other by name, so that a new function, type or enumerator changes only its own lines.
namespace CUBIND_NAMESPACE::toy {
namespace {

using namespace cubind::reflection;

extern const LibraryDescription description;

// Positions in every table that is in symbol order.
namespace index_of {
enum : std::size_t {
    toyCopyLines,
    toyDraw,
};
}  // namespace index_of

[[maybe_unused]] constexpr Enumerator enumerators_of_toyStatus[] = {
    {"TOY_OK", static_cast<long long>(TOY_OK)},
    {"TOY_NO_LIBRARY", static_cast<long long>(TOY_NO_LIBRARY)},
    {"TOY_NO_FUNCTION", static_cast<long long>(TOY_NO_FUNCTION)},
};

// Declared before they are defined, because types and fields refer to each other.
struct Types {
    Type array_of_16_char;
    Type array_of_2_cells_of_toyShape_st;
    Type array_of_2_toyPoint;
    Type array_of_2_uint32_t;
    Type array_of_3_array_of_4_double;
    Type array_of_4_double;
    Type array_of_64_unsigned_char;
    Type cells_of_toyShape_st;
    Type char_;
    Type double_;
    Type float_;
    Type int64_t;
    Type int_;
    Type pointer_to_toyLines;
    Type pointer_to_toyShape;
    Type pointer_to_toyShape_st;
    Type pointer_to_void;
    Type range_of_size_of_toyShape_st;
    Type short_;
    Type size_of_toyShape_st;
    Type size_t;
    Type toyLine;
    Type toyLine_st;
    Type toyLines;
    Type toyLines_st;
    Type toyPlain;
    Type toyPoint;
    Type toyPoint_st;
    Type toyShape;
    Type toyShape_st;
    Type toyStatus;
    Type toyWord;
    Type toyWord_un;
    Type uint32_t;
    Type uint64_t;
    Type unnamed_1_of_toyShape_st;
    Type unnamed_1_of_unnamed_1_of_toyShape_st;
    Type unsigned_char;
    Type void_;
};
extern const Types all_types;
constexpr const Types& types = all_types;  // clang warns if the initializer of all_types uses the name all_types

// The alignment is explicit because g++ would raise it to 32 bytes for each array.
alignas(Field) constexpr Field fields_of_cells_of_toyShape_st[] = {
    {"tag", &types.unsigned_char, 0},
    {"value", &types.uint32_t, 4},
};
alignas(Field) constexpr Field fields_of_range_of_size_of_toyShape_st[] = {
    {"low", &types.short_, 0},
    {"high", &types.short_, 2},
};
alignas(Field) constexpr Field fields_of_size_of_toyShape_st[] = {
    {"width", &types.int_, 0},
    {"range", &types.range_of_size_of_toyShape_st, 4},
};
alignas(Field) constexpr Field fields_of_toyLine_st[] = {
    {"bytes", &types.array_of_64_unsigned_char, 0},
};
alignas(Field) constexpr Field fields_of_toyLines_st[] = {
    {"first", &types.toyLine, 0},
    {"end", &types.char_, 64},
};
alignas(Field) constexpr Field fields_of_toyPlain[] = {
    {"word", &types.toyWord, 0},
};
alignas(Field) constexpr Field fields_of_toyPoint_st[] = {
    {"x", &types.float_, 0},
    {"y", &types.float_, 4},
};
alignas(Field) constexpr Field fields_of_toyShape_st[] = {
    {"name", &types.array_of_16_char, 0},
    {"matrix", &types.array_of_3_array_of_4_double, 16},
    {"corners", &types.array_of_2_toyPoint, 112},
    {"size", &types.size_of_toyShape_st, 128},
    {"", &types.unnamed_1_of_toyShape_st, 136},
    {"cells", &types.array_of_2_cells_of_toyShape_st, 152},
    {"next", &types.pointer_to_toyShape_st, 168},
};
alignas(Field) constexpr Field fields_of_toyWord_un[] = {
    {"whole", &types.uint64_t, 0},
    {"halves", &types.array_of_2_uint32_t, 0},
};
alignas(Field) constexpr Field fields_of_unnamed_1_of_toyShape_st[] = {
    {"number", &types.int64_t, 0},
    {"point", &types.toyPoint, 0},
    {"", &types.unnamed_1_of_unnamed_1_of_toyShape_st, 0},
};
alignas(Field) constexpr Field fields_of_unnamed_1_of_unnamed_1_of_toyShape_st[] = {
    {"memory", &types.pointer_to_void, 0},
    {"bytes", &types.size_t, 8},
};

constinit const Types all_types = {
    .array_of_16_char = {.name = "", .kind = Kind::array, .size = 16, .inner = &types.char_, .extent = 16},
    .array_of_2_cells_of_toyShape_st = {.name = "", .kind = Kind::array, .size = 16, .inner = &types.cells_of_toyShape_st,
                                        .extent = 2},
    .array_of_2_toyPoint = {.name = "", .kind = Kind::array, .size = 16, .inner = &types.toyPoint, .extent = 2},
    .array_of_2_uint32_t = {.name = "", .kind = Kind::array, .size = 8, .inner = &types.uint32_t, .extent = 2},
    .array_of_3_array_of_4_double = {.name = "", .kind = Kind::array, .size = 96, .inner = &types.array_of_4_double, .extent = 3},
    .array_of_4_double = {.name = "", .kind = Kind::array, .size = 32, .inner = &types.double_, .extent = 4},
    .array_of_64_unsigned_char = {.name = "", .kind = Kind::array, .size = 64, .inner = &types.unsigned_char, .extent = 64},
    .cells_of_toyShape_st = {.name = "toyCell_st", .kind = Kind::record, .size = 8, .fields = fields_of_cells_of_toyShape_st},
    .char_ = {.name = "char", .kind = Kind::character, .size = 1},
    .double_ = {.name = "double", .kind = Kind::floating, .size = 8},
    .float_ = {.name = "float", .kind = Kind::floating, .size = 4},
    .int64_t = {.name = "int64_t", .kind = Kind::signed_integer, .size = 8},
    .int_ = {.name = "int", .kind = Kind::signed_integer, .size = 4},
    .pointer_to_toyLines = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyLines},
    .pointer_to_toyShape = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyShape},
    .pointer_to_toyShape_st = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyShape_st},
    .pointer_to_void = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.void_},
    .range_of_size_of_toyShape_st = {.name = "", .kind = Kind::record, .size = 4,
                                     .fields = fields_of_range_of_size_of_toyShape_st},
    .short_ = {.name = "short", .kind = Kind::signed_integer, .size = 2},
    .size_of_toyShape_st = {.name = "", .kind = Kind::record, .size = 8, .fields = fields_of_size_of_toyShape_st},
    .size_t = {.name = "size_t", .kind = Kind::unsigned_integer, .size = 8},
    .toyLine = {.name = "toyLine", .kind = Kind::record, .size = 64, .fields = fields_of_toyLine_st},
    .toyLine_st = {.name = "toyLine_st", .kind = Kind::record, .size = 64, .fields = fields_of_toyLine_st},
    .toyLines = {.name = "toyLines", .kind = Kind::record, .size = 128, .fields = fields_of_toyLines_st},
    .toyLines_st = {.name = "toyLines_st", .kind = Kind::record, .size = 128, .fields = fields_of_toyLines_st},
    .toyPlain = {.name = "toyPlain", .kind = Kind::record, .size = 8, .fields = fields_of_toyPlain},
    .toyPoint = {.name = "toyPoint", .kind = Kind::record, .size = 8, .fields = fields_of_toyPoint_st},
    .toyPoint_st = {.name = "toyPoint_st", .kind = Kind::record, .size = 8, .fields = fields_of_toyPoint_st},
    .toyShape = {.name = "toyShape", .kind = Kind::record, .size = 176, .fields = fields_of_toyShape_st},
    .toyShape_st = {.name = "toyShape_st", .kind = Kind::record, .size = 176, .fields = fields_of_toyShape_st},
    .toyStatus = {.name = "toyStatus", .kind = Kind::enumeration, .size = 4, .enumerators = enumerators_of_toyStatus},
    .toyWord = {.name = "toyWord", .kind = Kind::record, .is_union = true, .size = 8, .fields = fields_of_toyWord_un},
    .toyWord_un = {.name = "toyWord_un", .kind = Kind::record, .is_union = true, .size = 8, .fields = fields_of_toyWord_un},
    .uint32_t = {.name = "uint32_t", .kind = Kind::unsigned_integer, .size = 4},
    .uint64_t = {.name = "uint64_t", .kind = Kind::unsigned_integer, .size = 8},
    .unnamed_1_of_toyShape_st = {.name = "", .kind = Kind::record, .is_union = true, .size = 16,
                                 .fields = fields_of_unnamed_1_of_toyShape_st},
    .unnamed_1_of_unnamed_1_of_toyShape_st = {.name = "", .kind = Kind::record, .size = 16,
                                              .fields = fields_of_unnamed_1_of_unnamed_1_of_toyShape_st},
    .unsigned_char = {.name = "unsigned char", .kind = Kind::unsigned_integer, .size = 1},
    .void_ = {.name = "void", .kind = Kind::nothing, .size = 0},
};

alignas(Parameter) constexpr Parameter parameters_of_toyCopyLines[] = {
    {"lines", &types.pointer_to_toyLines, Direction::out, Shape::value},
};
alignas(Parameter) constexpr Parameter parameters_of_toyDraw[] = {
    {"shape", &types.pointer_to_toyShape, Direction::in, Shape::value},
    {"plain", &types.toyPlain},
};

template <std::size_t index, class Signature>
constexpr Function row(const char* symbol, const Type& returns, std::span<const Parameter> parameters,
                       std::span<const Effect> effects = {}, std::span<const ObjectPlace> same_context = {}) {
    return {symbol, &returns, parameters, effects, same_context, detail::Invocation<Signature>::invoke,
            detail::Interceptor<description, index, Signature>::address};
}

constinit const Function functions[] = {
    row<index_of::toyCopyLines, toyStatus(toyLines*)>("toyCopyLines", types.toyStatus, parameters_of_toyCopyLines),
    row<index_of::toyDraw, toyStatus(const toyShape*, toyPlain)>("toyDraw", types.toyStatus, parameters_of_toyDraw),
};

constinit void* originals[std::size(functions)] = {};

constinit const LibraryDescription description = {
    .name = "toy",
    .loaded = library,
    .entry_points = all_entry_points,
    .functions = functions,
    .originals = originals,
    .status = &types.toyStatus,
    .invalid_argument = TOY_NO_FUNCTION,
    .current_context = nullptr,
    .is_capturing = nullptr,
};

}  // namespace

const reflection::LibraryDescription& reflection() noexcept { return description; }

}  // namespace CUBIND_NAMESPACE::toy
