// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cubind/driver/types.hpp>

/// The driver's functions and their types as tables, written from api-specs/: enough to make the arguments of any call.
namespace cubind::fuzz {

enum class Kind { number, real, enumerator, handle, record, array, pointer, callback };

struct Type {
    Kind kind;
    std::size_t size;
    std::size_t first;  ///< record: its fields; enumerator: its values; handle: its pool; array: type of an element; callback: which
    std::size_t count;  ///< of those
    std::size_t pool;   ///< record: where whole ones are kept
};

/// What is put where a value is expected, or a pointer.
enum class Passing {
    value,
    null,
    object,            ///< a pointer to one
    array,             ///< a pointer to as many as its length says
    bytes,             ///< a pointer to bytes of the program
    text,
    path,
    image,             ///< of a module
    option_values,     ///< as the options at the same places say
    kernel_arguments,
    kernel_extra,
    host_address,      ///< of memory that is the driver's, or the program's
    shared_handle,
    exported_handle    ///< where a shared handle is written
};

/// A field of a record, or of a record within it.
struct Field {
    std::size_t offset;
    std::size_t type;
    Passing passing;
    /// -1: always there; else only where the int at this offset is that value; below -1: one of -1 - tag_offset, drawn by lot.
    int tag_offset;
    long long tag_value;
    int length_offset;  ///< of the field that counts the elements of an array; -1: there is one
    std::size_t length_size;
    std::size_t most;   ///< of a number; 0: any
};

enum class Direction { in, out, inout };

struct Parameter {
    std::size_t type;  ///< of the value, or of what it points to
    Passing passing;
    Direction direction;
    int length_place;  ///< parameter that holds the length; -1: `length` does
    std::size_t length;
    std::size_t most;
    bool is_optional;
    bool is_kept;  ///< by the driver, after the call
};

struct Function {
    const char* name;
    driver::CUresult (*call)(void* address, std::byte* const* arguments);
    std::size_t first;  ///< parameter
    std::size_t count;
};

std::span<const Function> functions();
std::span<const Parameter> parameters_of(const Function& function);
std::span<const Field> fields_of(const Type& record);
std::span<const long long> values_of(const Type& enumerator);
const Type& type_at(std::size_t place);
/// A function of a callback's type that returns at once.
void* callback_at(std::size_t place);

/// The pool of all device addresses, and the number of pools.
inline constexpr std::size_t address_pool = 0;
std::size_t pool_count();

}  // namespace cubind::fuzz
