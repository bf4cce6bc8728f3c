// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// What the headers state, and nothing that anybody decided. One struct per kind of entry in api.json.
namespace cubind::gen::spec {

/// Which set of preprocessor definitions shows an entry; empty for the headers as a programmer includes them.
using View = std::string;

struct Parameter {
    std::string name;
    std::string type;       ///< C++ spelling, e.g. "const char *const *"
    std::string direction;  ///< "in", "out", "inout" where the header's documentation is tagged so, else empty
    std::string default_value;
};

struct Function {
    std::string name;  ///< the ABI symbol
    std::string header;
    std::string group;  ///< documentation group, empty where the declaration stands in none
    std::string since;
    std::string removed;
    View view;
    std::string returns;
    std::vector<Parameter> parameters;
};

/// What a name that programmers write has meant from a release on.
struct Meaning {
    std::string since;
    std::string symbol;
    std::string per_thread;  ///< symbol under the per-thread default stream, where it differs
};

struct PublicName {
    std::string name;
    std::vector<Meaning> meanings;
};

struct Enumerator {
    std::string name;
    std::int64_t value = 0;
    std::string since;
    std::string removed;
};

struct Enum {
    std::string name;
    std::string header;
    std::string since;
    std::string removed;
    View view;
    std::string underlying;
    std::vector<Enumerator> enumerators;
};

struct Record;

struct Field {
    std::string name;  ///< empty for an anonymous struct or union
    std::string type;  ///< empty when `record` describes the type in place
    std::int64_t offset = 0;
    std::string since;
    std::string removed;
    std::shared_ptr<const Record> record;
    std::vector<std::int64_t> extents;  ///< of an array whose element is described in place
};

struct Record {
    std::string name;
    std::string header;
    std::string since;
    std::string removed;
    View view;
    bool is_union = false;
    std::int64_t size = 0;
    std::int64_t alignment = 0;
    std::vector<Field> fields;
};

/// A typedef of a pointer to a struct that the headers never define.
struct Handle {
    std::string name;
    std::string header;
    std::string since;
    std::string removed;
    View view;
    std::string tag;
};

struct Alias {
    std::string name;
    std::string header;
    std::string since;
    std::string removed;
    View view;
    std::string type;
    bool is_macro = false;
};

struct Callback {
    std::string name;
    std::string header;
    std::string since;
    std::string removed;
    View view;
    std::string returns;
    std::vector<Parameter> parameters;
};

struct Constant {
    std::string name;
    std::string header;
    std::string since;
    std::string removed;
    std::string type;
    std::int64_t value = 0;
};

struct Facts {
    std::string library;
    std::vector<std::string> releases;
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
