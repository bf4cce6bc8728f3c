// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <cubind/entry_points.hpp>

/// What the specs know of a library's functions, as data: for code that treats all functions alike, such as a trace of every call.
/// Generated code defines one `LibraryDescription` for each library. It is constant and lives as long as the process.
namespace cubind {

struct Call;

}  // namespace cubind

namespace cubind::reflection {

enum class Kind : unsigned char {
    nothing,  ///< void
    boolean,
    character,
    signed_integer,
    unsigned_integer,
    identifier,  ///< an unsigned integer that names an object or is a device address: nobody calculates with it
    floating,
    enumeration,
    record,  ///< a struct, or a union
    handle,  ///< a pointer to a struct that only the vendor knows
    pointer,
    array,
    function,  ///< a pointer to a function
};

struct Type;

struct Enumerator {
    const char* name = "";
    long long value = 0;
};

/// A field without a name holds a record whose fields are used as if they were the outer one's.
struct Field {
    const char* name = "";
    const Type* type = nullptr;
    std::size_t offset = 0;  ///< bytes
};

struct Type {
    const char* name = "";  ///< as the vendor writes it; "" for pointers, arrays and records without a name
    Kind kind = Kind::nothing;
    bool is_union = false;
    bool is_bit_set = false;    ///< an enumeration whose enumerators may be combined
    std::size_t size = 0;       ///< bytes; 0 where there is nothing, or nobody but the vendor knows
    const Type* inner = nullptr;  ///< what a pointer points to, or the element of an array
    std::size_t extent = 0;       ///< elements of an array
    std::span<const Field> fields = {};
    std::span<const Enumerator> enumerators = {};  ///< as the vendor orders them; several may have one value
};

/// What stands where a parameter's position might.
inline constexpr unsigned char no_parameter = 255;

enum class Direction : unsigned char { in, out, inout };

/// What a pointer points to; `value` also stands for every parameter that is no pointer.
enum class Shape : unsigned char { value, array, buffer, string, opaque, callback };

/// How many elements (of an array) or bytes (of a buffer or a string) a pointer points to: a product of a number and up to two
/// parameters, given by their positions. A number of zero: it is not stated.
struct Length {
    std::size_t number = 0;
    unsigned char first = no_parameter;
    unsigned char second = no_parameter;
};

struct Parameter {
    const char* name = "";  ///< in C++
    const Type* type = nullptr;
    Direction direction = Direction::in;
    Shape shape = Shape::value;
    bool is_optional = false;  ///< null may be passed
    Length length = {};
};

/// A kind of object whose life calls begin and end: streams, device memory.
struct ObjectKind {
    const char* name = "";    ///< in words; the same in every library
    bool is_counted = false;  ///< each begin adds a reference, each end takes one away
    bool is_in_context = false;  ///< ends with the context that was current when it began
    bool is_owned = false;       ///< some call ends it, so whoever began it has to
};

/// Where a call's arguments hold an object: so many bytes into what the parameter points to where its shape is value, else into
/// the argument itself.
struct ObjectPlace {
    unsigned char parameter = no_parameter;
    std::size_t offset = 0;
};

/// What a call does to an object when it succeeds. Where several effects end objects of different kinds, the object is of one of them.
struct Effect {
    enum class What : unsigned char {
        begins,
        ends,
        ends_contents,  ///< everything in the context that the object stands for ends; without an object, in the current one
    };

    What what = What::begins;
    const ObjectKind* kind = nullptr;
    ObjectPlace object = {};
    unsigned char within = no_parameter;      ///< parameter with an object that ends this one with it
    unsigned char owning = no_parameter;      ///< parameter with the context that this object stands for
    unsigned char uncaptured = no_parameter;  ///< parameter with a stream: while that is captured, the call does nothing yet
};

struct Function {
    const char* symbol = "";
    const Type* returns = nullptr;
    std::span<const Parameter> parameters = {};
    std::span<const Effect> effects = {};
    std::span<const ObjectPlace> same_context = {};  ///< the objects that have to belong to one context
    void (*invoke)(const Call& call) noexcept = nullptr;  ///< calls the function with the call's arguments
    void* (*interceptor)() noexcept = nullptr;  ///< address of what stands in for the function while calls are intercepted
};

/// A function's row stands where its entry point does: both are in the order of their symbols.
struct LibraryDescription {
    const char* name = "";
    Library& (*loaded)() noexcept = nullptr;  ///< as the loader knows it
    EntryPoints (*entry_points)() noexcept = nullptr;
    std::span<const Function> functions = {};
    void** originals = nullptr;  ///< addresses that interceptors stand in for, one for each function; atomic
    const Type* status = nullptr;
    long long invalid_argument = 0;             ///< status of a call that was given nonsense
    const Function* current_context = nullptr;  ///< writes the calling thread's context to its one parameter; may be null
    const Function* is_capturing = nullptr;     ///< tells in its second parameter whether the stream in its first is captured; may be null
};

/// Name of the first enumerator that has the value, null if there is none.
const char* name_of(const Type& enumeration, long long value) noexcept;

}  // namespace cubind::reflection
