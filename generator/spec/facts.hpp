// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// The facts that the headers of all releases state, without any human decision. One struct per kind of entry in api.json.
namespace cubind::gen::spec {

/// Name of the set of preprocessor definitions under which an entry is visible; empty for the headers without extra definitions.
using View = std::string;

struct Parameter {
    std::string name;
    std::string type;       ///< C++ spelling, such as "const char *const *"
    std::string direction;  ///< "in", "out" or "inout" if the header's documentation has such a tag; else empty
    std::string default_value;
    std::int64_t extent = 0;  ///< number of elements of a parameter that the header declares as an array; else 0
    bool operator==(const Parameter&) const = default;
};

/// An earlier body of an entry. A body holds what the headers of one release state about an entry; an Entry spans all releases.
template <class Body>
struct Former : Body {
    std::string until;  ///< first release with another body
};

/// A named entry with its lifetime. The body is from the newest release that has the entry.
template <class Body>
struct Entry : Body {
    std::string name;
    std::string since;                  ///< first release that has the entry; may precede every release that was read
    std::string removed;                ///< first later release that was read and lacks it; empty if the newest release has it
    std::vector<std::string> absent;    ///< releases that were read, lack it, and lie between `since` and `removed`
    std::vector<Former<Body>> history;  ///< the earlier bodies, oldest first
};

struct FunctionBody {
    std::string header;
    std::string group;  ///< documentation group; empty if the declaration is in none
    View view;
    std::string returns;
    std::vector<Parameter> parameters;
    bool is_macro = false;     ///< whether the headers also define a macro of that name with parameters
    bool is_variadic = false;  ///< whether it accepts further arguments (...)
    bool operator==(const FunctionBody&) const = default;
};
/// A function; its name is the ABI symbol.
using Function = Entry<FunctionBody>;

/// The symbol that a public name refers to, from a release on.
struct Meaning {
    std::string since;
    std::string removed;  ///< first release in which the name refers to nothing
    std::string symbol;
    std::string per_thread;  ///< symbol under the per-thread default stream, if it differs
};

/// A name that programmers write and that does not refer, or did not always refer, to the symbol of the same name.
struct PublicName {
    std::string name;
    std::vector<Meaning> meanings;  ///< oldest first
};

struct EnumeratorBody {
    std::int64_t value = 0;
    bool operator==(const EnumeratorBody&) const = default;
};
using Enumerator = Entry<EnumeratorBody>;

struct EnumBody {
    std::string header;
    View view;
    std::string underlying;
    bool operator==(const EnumBody&) const = default;
};
struct Enum : Entry<EnumBody> {
    std::vector<Enumerator> enumerators;  ///< in the order of the headers
    /// The enumerators of each release whose headers have them in another order than `enumerators`.
    std::map<std::string, std::vector<std::string>> orders;
};

struct NestedRecord;

struct Field {
    std::string name;  ///< empty for an anonymous struct or union
    std::string type;  ///< empty when `record` describes the type in place
    std::int64_t offset = 0;
    std::string since;    ///< first release whose record has the field; empty if it is as old as the record
    std::string removed;  ///< for a field of a former body, the first release whose record lacks it
    std::shared_ptr<const NestedRecord> record;
    std::vector<std::int64_t> extents;  ///< extents of an array whose element type is described in place
    std::int64_t bits = 0;              ///< width of a bit-field; 0 for any other field
    std::int64_t bit = 0;               ///< first bit of a bit-field within the byte at `offset`
    bool is_private = false;            ///< whether the header's C++ denies access to the field
    /// Compares what the headers state. `since` and `removed` are ignored, because they depend on other releases.
    bool operator==(const Field& other) const;
};

struct RecordBody {
    std::string header;
    View view;
    bool is_union = false;
    std::int64_t size = 0;
    std::int64_t alignment = 0;
    std::vector<Field> fields;
    bool operator==(const RecordBody&) const = default;
};
using Record = Entry<RecordBody>;

/// A struct or union that is defined inside another.
struct NestedRecord : RecordBody {
    std::string name;  ///< its tag, often empty
    bool operator==(const NestedRecord&) const = default;
};

inline bool Field::operator==(const Field& other) const {
    const bool same_record = record == other.record || (record && other.record && *record == *other.record);
    const bool same_place = offset == other.offset && bits == other.bits && bit == other.bit;
    return same_record && same_place && name == other.name && type == other.type && extents == other.extents &&
           is_private == other.is_private;
}

struct HandleBody {
    std::string header;
    View view;
    std::string tag;
    bool operator==(const HandleBody&) const = default;
};
/// A typedef of a pointer to a struct that the headers never define.
using Handle = Entry<HandleBody>;

struct OpaqueRecordBody {
    std::string header;  ///< header that declares it; for a type of the system, the standard or POSIX header to include
    View view;
    bool is_union = false;
    bool is_system = false;
    std::int64_t size = 0;  ///< 0 if no header defines it
    std::int64_t alignment = 0;
    bool operator==(const OpaqueRecordBody&) const = default;
};
/// A struct or union that generated code does not define: the API only points to it, or the system defines it.
using OpaqueRecord = Entry<OpaqueRecordBody>;

struct AliasBody {
    std::string header;
    View view;
    std::string type;
    bool is_macro = false;
    bool operator==(const AliasBody&) const = default;
};
using Alias = Entry<AliasBody>;

struct CallbackBody {
    std::string header;
    View view;
    std::string returns;
    std::vector<Parameter> parameters;
    bool operator==(const CallbackBody&) const = default;
};
using Callback = Entry<CallbackBody>;

struct ConstantBody {
    std::string header;
    std::string type;
    std::int64_t value = 0;
    bool operator==(const ConstantBody&) const = default;
};
using Constant = Entry<ConstantBody>;

struct VariableBody {
    std::string header;
    std::string type;  ///< without the const of the variable itself
    bool operator==(const VariableBody&) const = default;
};
/// A constant that the library exports as a variable. Its value is known only after the library has been loaded.
using Variable = Entry<VariableBody>;

struct Facts {
    std::string library;
    std::vector<std::string> releases;  ///< releases whose headers were read, oldest first
    /// The library's own version in each release of CUDA; empty if library.json does not describe it.
    std::map<std::string, std::string> versions;
    std::vector<Function> functions;
    std::vector<PublicName> public_names;
    std::vector<Enum> enums;
    std::vector<Record> records;
    std::vector<OpaqueRecord> opaque_records;
    std::vector<Handle> handles;
    std::vector<Alias> aliases;
    std::vector<Callback> callbacks;
    std::vector<Constant> constants;
    std::vector<Variable> variables;
};

}  // namespace cubind::gen::spec
