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
    toyRead,
};
}  // namespace index_of

[[maybe_unused]] constexpr Enumerator enumerators_of_toyStatus[] = {
    {"TOY_OK", static_cast<long long>(TOY_OK)},
    {"TOY_NO_LIBRARY", static_cast<long long>(TOY_NO_LIBRARY)},
    {"TOY_NO_FUNCTION", static_cast<long long>(TOY_NO_FUNCTION)},
};

// Declared before they are defined, because types and fields refer to each other.
struct Types {
    Type cache_of_toyCrate;
    Type char_;
    Type config_of_cache_of_toyCrate;
    Type pointer_to_char;
    Type pointer_to_toyCrate;
    Type pointer_to_toyFlags;
    Type toyCrate;
    Type toyEither;
    Type toyFlags;
    Type toyStatus;
    Type unsigned_char;
    Type unsigned_short;
};
extern const Types all_types;
constexpr const Types& types = all_types;  // clang warns if the initializer of all_types uses the name all_types

// The alignment is explicit because g++ would raise it to 32 bytes for each array.
alignas(Field) constexpr Field fields_of_cache_of_toyCrate[] = {
    {"both", &types.unsigned_char, 0},
    {"config", &types.config_of_cache_of_toyCrate, 0},
};
alignas(Field) constexpr Field fields_of_toyCrate[] = {
    {"name", &types.pointer_to_char, 0},
    {"cache", &types.cache_of_toyCrate, 8},
};
alignas(Field) constexpr Field fields_of_toyEither[] = {
    {"all", &types.unsigned_short, 0},
};
alignas(Field) constexpr Field fields_of_toyFlags[] = {
    {"letter", &types.unsigned_char, 8},
};

constinit const Types all_types = {
    .cache_of_toyCrate = {.name = "", .kind = Kind::record, .is_union = true, .size = 1, .fields = fields_of_cache_of_toyCrate},
    .char_ = {.name = "char", .kind = Kind::character, .size = 1},
    .config_of_cache_of_toyCrate = {.name = "", .kind = Kind::record, .size = 1},
    .pointer_to_char = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.char_},
    .pointer_to_toyCrate = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyCrate},
    .pointer_to_toyFlags = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyFlags},
    .toyCrate = {.name = "toyCrate", .kind = Kind::record, .size = 16, .fields = fields_of_toyCrate},
    .toyEither = {.name = "toyEither", .kind = Kind::record, .is_union = true, .size = 2, .fields = fields_of_toyEither},
    .toyFlags = {.name = "toyFlags", .kind = Kind::record, .size = 12, .fields = fields_of_toyFlags},
    .toyStatus = {.name = "toyStatus", .kind = Kind::enumeration, .size = 4, .enumerators = enumerators_of_toyStatus},
    .unsigned_char = {.name = "unsigned char", .kind = Kind::unsigned_integer, .size = 1},
    .unsigned_short = {.name = "unsigned short", .kind = Kind::unsigned_integer, .size = 2},
};

alignas(Parameter) constexpr Parameter parameters_of_toyRead[] = {
    {"flags", &types.pointer_to_toyFlags, Direction::out, Shape::value},
    {"crate", &types.pointer_to_toyCrate, Direction::out, Shape::value},
    {"either", &types.toyEither},
};

template <std::size_t index, class Signature>
constexpr Function row(const char* symbol, const Type& returns, std::span<const Parameter> parameters,
                       std::span<const Effect> effects = {}, std::span<const ObjectPlace> same_context = {}) {
    return {symbol, &returns, parameters, effects, same_context, detail::Invocation<Signature>::invoke,
            detail::Interceptor<description, index, Signature>::address};
}

constinit const Function functions[] = {
    row<index_of::toyRead, toyStatus(toyFlags*, toyCrate*, toyEither)>("toyRead", types.toyStatus, parameters_of_toyRead),
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
