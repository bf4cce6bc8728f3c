// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// What the headers of all releases state, and nothing that anybody decided. One struct per kind of entry in api.json.
namespace cubind::gen::spec {

/// Which set of preprocessor definitions shows an entry; empty for the headers as a programmer includes them.
using View = std::string;

struct Parameter {
    std::string name;
    std::string type;       ///< C++ spelling, e.g. "const char *const *"
    std::string direction;  ///< "in", "out", "inout" where the header's documentation is tagged so, else empty
    std::string default_value;
    bool operator==(const Parameter&) const = default;
};

/// What one release's headers state of a thing is its body; an Entry is the thing through all releases.
template <class Body>
struct Former : Body {
    std::string until;  ///< first release with another body
};

/// A named thing with its life: the body is that of the newest release that has it.
template <class Body>
struct Entry : Body {
    std::string name;
    std::string since;                   ///< first release that has it; may be earlier than every release that was read
    std::string removed;                 ///< first release that was read and no longer has it; empty if the newest has it
    std::vector<std::string> absent;     ///< releases that were read, lie between the two, and lack it
    std::vector<Former<Body>> history;   ///< the bodies before, oldest first
};

struct FunctionBody {
    std::string header;
    std::string group;  ///< documentation group, empty where the declaration stands in none
    View view;
    std::string returns;
    std::vector<Parameter> parameters;
    bool operator==(const FunctionBody&) const = default;
};
/// Its name is the ABI symbol.
using Function = Entry<FunctionBody>;

/// What a name that programmers write has meant from a release on.
struct Meaning {
    std::string since;
    std::string removed;     ///< first release in which it meant nothing any more
    std::string symbol;
    std::string per_thread;  ///< symbol under the per-thread default stream, where it differs
};

/// A name that does not mean, or has not always meant, the symbol of the same name. Its meanings, oldest first.
struct PublicName {
    std::string name;
    std::vector<Meaning> meanings;
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
    /// Enumerators of a release whose headers had them in another order than `enumerators` has.
    std::map<std::string, std::vector<std::string>> orders;
};

struct NestedRecord;

struct Field {
    std::string name;  ///< empty for an anonymous struct or union
    std::string type;  ///< empty when `record` describes the type in place
    std::int64_t offset = 0;
    std::string since;    ///< first release whose record has it; empty: as the record
    std::string removed;  ///< of a field in a former body: first release whose record lacks it
    std::shared_ptr<const NestedRecord> record;
    std::vector<std::int64_t> extents;  ///< of an array whose element is described in place
    /// Whether the headers state the same; `since` and `removed` follow from other releases.
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

/// A struct or union that stands within another.
struct NestedRecord : RecordBody {
    std::string name;  ///< its tag, often empty
    bool operator==(const NestedRecord&) const = default;
};

inline bool Field::operator==(const Field& other) const {
    const bool same_record = record == other.record || (record && other.record && *record == *other.record);
    return same_record && name == other.name && type == other.type && offset == other.offset && extents == other.extents;
}

struct HandleBody {
    std::string header;
    View view;
    std::string tag;
    bool operator==(const HandleBody&) const = default;
};
/// A typedef of a pointer to a struct that the headers never define.
using Handle = Entry<HandleBody>;

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

struct Facts {
    std::string library;
    std::vector<std::string> releases;  ///< those whose headers were read, oldest first
    std::vector<Function> functions;
    std::vector<PublicName> public_names;
    std::vector<Enum> enums;
    std::vector<Record> records;
    std::vector<Handle> handles;
    std::vector<Alias> aliases;
    std::vector<Callback> callbacks;
    std::vector<Constant> constants;
};

}  // namespace cubind::gen::spec
