// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <span>

/// Tables of the driver's functions and their types, generated from api-specs/, from which the arguments of any call can be
/// created.
namespace cubind::fuzz {

enum class Kind { number, real, enumerator, handle, record, array, pointer, callback };

struct Type {
    Kind kind;
    std::size_t size;
    std::size_t
        first;  ///< index of: fields of a record, values of an enumerator, pool of a handle, element type of an array, callback
    std::size_t count;  ///< number of fields, values or elements
    std::size_t pool;   ///< pool of complete records
};

/// Selects how an argument or a field is filled.
enum class Passing {
    value,
    null,
    object,  ///< a pointer to one object
    array,   ///< a pointer to as many objects as its length
    bytes,   ///< a pointer to bytes of the program
    text,
    path,
    image,          ///< code of a module
    option_values,  ///< values of the options at the same indices
    kernel_arguments,
    kernel_extra,
    host_address,  ///< an address in memory of the driver or of the program
    shared_handle,
    exported_handle  ///< memory that receives a shared handle
};

/// A field of a record or of a nested record.
struct Field {
    std::size_t offset;
    std::size_t type;
    Passing passing;
    /// -1 if the field is always present. A value of 0 or more is the offset of an int that equals tag_value if the field is
    /// present. A value below -1 means that the field is one of -1 - tag_offset members, of which a random one is present.
    int tag_offset;
    long long tag_value;
    int length_offset;  ///< offset of the field that counts the elements of an array; -1 for one element
    std::size_t length_size;
    std::size_t max_value;  ///< maximum of a number; 0 if unlimited
};

enum class Direction { in, out, inout };

struct Parameter {
    std::size_t type;  ///< type of the value or of the pointee
    Passing passing;
    Direction direction;
    int length_index;  ///< index of the parameter that holds the length; -1 if `length` is the length itself
    std::size_t length;
    std::size_t max_value;
    bool is_optional;
    bool is_retained;  ///< whether the driver uses the target after the call
};

struct Function {
    const char* name;
    driver::CUresult (*call)(void* address, std::byte* const* arguments);
    std::size_t first;  ///< index of the first parameter
    std::size_t count;
};

std::span<const Function> functions();
std::span<const Parameter> parameters_of(const Function& function);
std::span<const Field> fields_of(const Type& record);
std::span<const long long> values_of(const Type& enumerator);
const Type& type_at(std::size_t index);
/// Returns a function of a callback's type that returns immediately.
void* callback_at(std::size_t index);

/// The pool of all device addresses.
inline constexpr std::size_t address_pool = 0;
std::size_t pool_count();

}  // namespace cubind::fuzz
