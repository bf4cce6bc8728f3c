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
    toyMark,
    toyOpen,
};
}  // namespace index_of

[[maybe_unused]] constexpr Enumerator enumerators_of_toyStatus[] = {
    {"TOY_OK", static_cast<long long>(TOY_OK)},
    {"TOY_NO_LIBRARY", static_cast<long long>(TOY_NO_LIBRARY)},
    {"TOY_NO_FUNCTION", static_cast<long long>(TOY_NO_FUNCTION)},
};

// Declared before they are defined, because types and fields refer to each other.
struct Types {
    Type array_of_2_pointer_to_toyTag;
    Type pointer_to_pointer_to_toySecret;
    Type pointer_to_toyEither;
    Type pointer_to_toyPlain;
    Type pointer_to_toySecret;
    Type pointer_to_toyTag;
    Type toyCrate;
    Type toyEither;
    Type toyPlain;
    Type toySecret;
    Type toyStatus;
    Type toyTag;
    Type toyTag_st;
};
extern const Types all_types;
constexpr const Types& types = all_types;  // clang warns if the initializer of all_types uses the name all_types

// The alignment is explicit because g++ would raise it to 32 bytes for each array.
alignas(Field) constexpr Field fields_of_toyCrate[] = {
    {"secret", &types.pointer_to_toySecret, 0},
    {"tags", &types.array_of_2_pointer_to_toyTag, 8},
};

constinit const Types all_types = {
    .array_of_2_pointer_to_toyTag = {.name = "", .kind = Kind::array, .size = 16, .inner = &types.pointer_to_toyTag, .extent = 2},
    .pointer_to_pointer_to_toySecret = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.pointer_to_toySecret},
    .pointer_to_toyEither = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyEither},
    .pointer_to_toyPlain = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyPlain},
    .pointer_to_toySecret = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toySecret},
    .pointer_to_toyTag = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyTag},
    .toyCrate = {.name = "toyCrate", .kind = Kind::record, .size = 24, .fields = fields_of_toyCrate},
    .toyEither = {.name = "toyEither", .kind = Kind::nothing, .size = 0},
    .toyPlain = {.name = "toyPlain", .kind = Kind::nothing, .size = 0},
    .toySecret = {.name = "toySecret", .kind = Kind::nothing, .size = 0},
    .toyStatus = {.name = "toyStatus", .kind = Kind::enumeration, .size = 4, .enumerators = enumerators_of_toyStatus},
    .toyTag = {.name = "toyTag", .kind = Kind::nothing, .size = 0},
    .toyTag_st = {.name = "toyTag_st", .kind = Kind::nothing, .size = 0},
};

alignas(Parameter) constexpr Parameter parameters_of_toyMark[] = {
    {"tag", &types.pointer_to_toyTag, Direction::in, Shape::opaque},
    {"either", &types.pointer_to_toyEither, Direction::inout, Shape::opaque},
    {"crate", &types.toyCrate},
};
alignas(Parameter) constexpr Parameter parameters_of_toyOpen[] = {
    {"secret", &types.pointer_to_pointer_to_toySecret, Direction::out, Shape::value},
    {"plain", &types.pointer_to_toyPlain, Direction::in, Shape::opaque},
};

template <std::size_t index, class Signature>
constexpr Function row(const char* symbol, const Type& returns, std::span<const Parameter> parameters,
                       std::span<const Effect> effects = {}, std::span<const ObjectPlace> same_context = {}) {
    return {symbol, &returns, parameters, effects, same_context, detail::Invocation<Signature>::invoke,
            detail::Interceptor<description, index, Signature>::address};
}

constinit const Function functions[] = {
    row<index_of::toyMark, toyStatus(const toyTag*, ::toyEither*, toyCrate)>("toyMark", types.toyStatus, parameters_of_toyMark),
    row<index_of::toyOpen, toyStatus(::toySecret**, ::toyPlain*)>("toyOpen", types.toyStatus, parameters_of_toyOpen),
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
