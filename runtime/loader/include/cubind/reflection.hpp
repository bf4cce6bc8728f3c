// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_points.hpp>

#include <cstddef>
#include <span>

/// @file
/// Descriptions of the functions of a library as data, generated from the specs. They serve code that handles all functions
/// uniformly, such as a trace of every call. Generated code defines one `reflection::LibraryDescription` for each library. All
/// data live as long as the process; only the addresses at LibraryDescription::originals change.
namespace CUBIND_NAMESPACE {

struct Call;

}  // namespace CUBIND_NAMESPACE

namespace CUBIND_NAMESPACE::reflection {

/// Kind of a type.
enum class Kind : unsigned char {
    nothing,           ///< void, or a record whose fields are not public
    boolean,           ///< bool
    character,         ///< char
    signed_integer,    ///< a signed integer
    unsigned_integer,  ///< an unsigned integer that is a number
    identifier,        ///< an unsigned integer that identifies an object or is a device address
    floating,          ///< a floating-point number
    enumeration,       ///< an enum
    record,            ///< a struct or a union
    handle,            ///< a pointer to a struct without a public definition
    pointer,           ///< another pointer to an object or to void
    array,             ///< an array
    function,          ///< a pointer to a function
};

struct Type;

/// An enumerator of an enumeration.
struct Enumerator {
    const char* name = "";  ///< the vendor's name
    long long value = 0;    ///< its value
};

/// A field of a record. A field without a name is an anonymous record, whose fields are accessed like fields of the outer record.
struct Field {
    const char* name = "";       ///< the vendor's name; "" for an anonymous record
    const Type* type = nullptr;  ///< type of the field
    std::size_t offset = 0;      ///< bytes from the start of the record
};

/// A type of a parameter, a field or a return value.
struct Type {
    const char* name = "";                         ///< the vendor's name; "" for pointers, arrays and records without a name
    Kind kind = Kind::nothing;                     ///< kind of the type
    bool is_union = false;                         ///< whether a record is a union
    bool is_bit_set = false;                       ///< whether the enumerators of an enumeration may be combined
    bool is_open = false;                          ///< whether other values than the enumerators of an enumeration are valid
    std::size_t size = 0;                          ///< bytes; 0 for void and for types without a public definition
    const Type* inner = nullptr;                   ///< type that a pointer points to, or element type of an array
    std::size_t extent = 0;                        ///< number of elements of an array
    std::span<const Field> fields = {};            ///< fields of a record
    std::span<const Enumerator> enumerators = {};  ///< enumerators in the vendor's order; several may have the same value
};

/// Parameter position that refers to no parameter.
CUBIND_HIDDEN inline constexpr unsigned char no_parameter = 255;

/// How a call accesses the memory that a parameter points to.
enum class Direction : unsigned char {
    in,     ///< the call reads it
    out,    ///< the call writes it
    inout,  ///< the call reads and writes it
};

/// What a parameter points to.
enum class Shape : unsigned char {
    value,     ///< one object; also the shape of parameters that are not pointers
    array,     ///< elements
    buffer,    ///< bytes
    string,    ///< text
    opaque,    ///< memory whose contents the specs do not describe
    callback,  ///< a function
};

/// Number of elements (of an array) or bytes (of a buffer or a string) that a pointer points to: the product of a number and up
/// to two parameters.
struct Length {
    std::size_t number = 0;               ///< constant factor; 0 if the length is unknown
    unsigned char first = no_parameter;   ///< position of the first parameter to multiply by
    unsigned char second = no_parameter;  ///< position of the second parameter to multiply by
};

/// A parameter of a C function.
struct Parameter {
    const char* name = "";                ///< its name in the C++ wrapper
    const Type* type = nullptr;           ///< its type in C
    Direction direction = Direction::in;  ///< how a call uses it
    Shape shape = Shape::value;           ///< what it points to
    bool is_optional = false;             ///< whether null may be passed
    Length length = {};                   ///< number of elements or bytes that it points to
};

/// A kind of object that calls create and destroy, such as streams and device memory.
struct ObjectKind {
    const char* name = "";       ///< name in messages, for example "stream"; the same in every library
    bool is_counted = false;     ///< whether each creation adds a reference and each destruction removes one
    bool is_in_context = false;  ///< whether it is destroyed with the context that was current at its creation
    bool is_owned = false;       ///< whether a call can destroy it; the program that created it must then do so
};

/// Location of an object in the arguments of a call. If the parameter is a pointer with the shape `value`, the object is in the
/// pointer's target. With the shape `array`, each element is an object. Otherwise the object is in the argument itself.
struct ObjectPlace {
    unsigned char parameter = no_parameter;  ///< position of the parameter; no_parameter if there is no object
    std::size_t offset = 0;                  ///< bytes from the start of the target or argument
};

/// Effect of a successful call on an object. If a function has several `ends` effects with different kinds, the object has one
/// of these kinds.
struct Effect {
    /// What the call does.
    enum class What : unsigned char {
        begins,  ///< creates the object or adds a reference to it
        ends,    ///< destroys the object or removes a reference to it
        /// Destroys all objects in the context that `object` identifies; without an object, in the current context.
        ends_contents,
    };

    What what = What::begins;                 ///< what the call does
    const ObjectKind* kind = nullptr;         ///< kind of the object; null for ends_contents
    ObjectPlace object = {};                  ///< location of the object
    unsigned char within = no_parameter;      ///< parameter with the parent, whose destruction also destroys the object
    unsigned char owning = no_parameter;      ///< parameter with the context that is destroyed with the object
    unsigned char uncaptured = no_parameter;  ///< parameter with a stream; the call has no effect while the stream is captured
};

/// A function of a library.
struct Function {
    const char* symbol = "";                              ///< ABI symbol
    const Type* returns = nullptr;                        ///< return type
    std::span<const Parameter> parameters = {};           ///< parameters in the order of C
    std::span<const Effect> effects = {};                 ///< effects of a successful call on objects
    std::span<const ObjectPlace> same_context = {};       ///< objects that must belong to the same context
    void (*invoke)(const Call& call) noexcept = nullptr;  ///< calls the function with the call's arguments
    void* (*interceptor)() noexcept = nullptr;            ///< returns the address that replaces the function during interception
};

/// A library. Its functions and its entry points are sorted by symbol, so that equal positions describe the same function.
struct LibraryDescription {
    const char* name = "";                             ///< name in messages, for example "driver"
    Library& (*loaded)() noexcept = nullptr;           ///< returns the loader's row of the library
    EntryPoints (*entry_points)() noexcept = nullptr;  ///< returns all entry points of the library
    std::span<const Function> functions = {};          ///< all functions of the library
    void** originals = nullptr;                        ///< addresses that interceptors replaced, one for each function; atomic
    const Type* status = nullptr;                      ///< type of the library's status; cuFile's is a struct that begins with it
    long long invalid_argument = 0;                    ///< status of a call with an invalid argument
    const Function* current_context = nullptr;         ///< writes the calling thread's context to parameter 0; may be null
    const Function* is_capturing = nullptr;  ///< writes the capture state of stream parameter 0 to parameter 1; may be null
};

/// Returns whether the function returns a status of its library.
inline bool returns_status(const LibraryDescription& library, const Function& function) noexcept {
    const Type &returned = *function.returns, &status = *library.status;
    return &returned == &status || (status.kind == Kind::record && returned.fields.data() == status.fields.data());
}

/// Returns the enumeration of the library's statuses.
inline const Type& statuses_of(const LibraryDescription& library) noexcept {
    return library.status->kind == Kind::record ? *library.status->fields.front().type : *library.status;
}

/// Returns the name of the first enumerator with the value; null if there is none.
CUBIND_EXPORT const char* name_of(const Type& enumeration, long long value) noexcept;

}  // namespace CUBIND_NAMESPACE::reflection
