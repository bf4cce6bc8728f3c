// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/annotation.hpp"
#include "model/questions.hpp"
#include "model/type.hpp"
#include "spec/facts.hpp"
#include "spec/library.hpp"
#include "spec/overrides.hpp"

/// The specs with every decision made. Templates render the model, and `cubind-gen model` prints it.
namespace cubind::gen::model {

struct Parameter {
    std::string name;                      ///< C++ name
    std::string vendor_name;               ///< name in the header; empty if the parameter has no name there
    Type type;                             ///< C type
    std::string stated_direction;          ///< direction that the documentation states; may be empty
    std::optional<Annotation> annotation;  ///< annotation of a pointer; empty while it is undecided
    std::string annotation_key;            ///< key of overrides.json that has the annotation; empty if it is inferred
    std::string default_value;
    std::int64_t extent = 0;       ///< number of elements if the header declares an array; else 0
    bool points_to_array = false;  ///< whether the type is a pointer to an array, spelled out or named
    bool is_callback = false;      ///< whether the type is a function pointer, spelled out or named

    bool needs_annotation() const { return type.is_pointer() || is_callback; }
    /// Returns whether the parameter is one object that the call fills in. The wrapper returns it by value.
    bool is_returned() const { return annotation && annotation->writes() && annotation->shape == Shape::value; }
    /// Returns whether the parameter is in the C++ parameter list.
    bool is_passed() const { return !is_returned() || annotation->direction == Direction::inout; }
};

/// Returns the declaration of a parameter in C with the names of the header, such as "CUstream* phStream" or "int sizes[3]".
std::string declaration_of(const Parameter& parameter);

/// The place of an object in the arguments of a call: a parameter, or a field of a record that the parameter is or points to.
struct ObjectPlace {
    std::size_t parameter = 0;
    std::int64_t offset = 0;  ///< bytes from the start of that record
};

/// The effect of a successful call on an object, see spec::ObjectLifetime.
struct Effect {
    enum class What { begins, ends, ends_contents };
    What what = What::begins;
    std::string kind;  ///< kind of the object; empty for ends_contents
    std::optional<ObjectPlace> object;
    std::optional<std::size_t> within;      ///< parameter with the object whose destruction also destroys this one
    std::optional<std::size_t> owning;      ///< parameter with the context that the object represents
    std::optional<std::size_t> uncaptured;  ///< parameter with a stream; the call has no effect while that stream is captured
};

struct Function {
    std::string symbol;
    std::string name;  ///< C++ name; differs from the symbol if the symbol is the public name of a newer function
    std::string header;
    std::string group;  ///< documentation group
    std::string file;   ///< generated file that declares it, without extension
    std::string since;
    std::string removed;
    spec::View view;
    bool is_macro = false;  ///< whether the headers also define a macro of that name with parameters
    Type returns;
    bool returns_status = false;
    std::string missing_value;  ///< what the wrapper returns if the function is missing; empty for a status, or for zero
    std::vector<Parameter> parameters;
    /// Returns the index of the parameter with this vendor name, if there is one.
    std::optional<std::size_t> position_of(const std::string& parameter) const;

    std::vector<Effect> effects;
    std::vector<ObjectPlace> same_context;  ///< the objects that must belong to one context
    std::string adapter;                    ///< name of the header's inline function that calls it, see spec::Adapter
    bool is_per_thread = false;             ///< whether a public name refers to it under the per-thread default stream
    std::string per_thread;  ///< C++ name of the function that the name refers to under the per-thread default stream
};

/// A public name that differs from the C++ name of its function.
struct PublicName {
    std::string name;
    std::string target;      ///< C++ name of the function
    std::string per_thread;  ///< C++ name of the function under the per-thread default stream; empty if it is the same
    std::string file;
};

/// The releases that have a name: those from `since` on and before `removed`, except those in the gaps.
struct Availability {
    /// The releases from `begin` on and before `end` lack the name.
    struct Gap {
        std::string begin;
        std::string end;
    };
    std::string since;
    std::string removed;
    std::vector<Gap> gaps;
};

/// The accessor of one enumerator, see spec::AttributeConfig.
struct Attribute {
    std::string name;  ///< name of the accessor
    std::string enumerator;
    std::string description;
    std::string unit;
    bool is_yes_or_no = false;
    std::string since;  ///< empty if it is as old as its enum
    std::string removed;
};

struct AttributeClass {
    std::string name;
    std::string file;         ///< generated file that defines it, without extension
    std::string enumeration;  ///< C++ name of the enum
    std::vector<Attribute> attributes;
};

/// `tag` is a struct that generated code only declares: an opaque record, or the struct of a handle.
enum class TypeKind { standard, enumeration, record, handle, tag, alias, callback };

struct Model {
    Model() = default;
    Model(Model&&) = default;  // not copyable, because a copy would hold pointers into the original

    spec::LibraryConfig config;
    spec::Overrides overrides;
    spec::Facts facts;
    std::vector<Function> functions;
    std::vector<PublicName> public_names;
    std::vector<AttributeClass> attribute_classes;
    std::map<std::string, TypeKind> types;
    std::map<std::string, std::string> alias_types;  ///< alias to the type that it names
    std::map<std::string, const spec::Record*> records;
    std::map<std::string, const spec::OpaqueRecord*> opaque_records;
    std::map<std::string, const spec::Enum*> enums;
    /// Maps the tag of an enum to its only typedef, which is the enum's name in C++. The tag becomes an alias.
    std::map<std::string, std::string> enum_names;
    std::set<std::string> former_macros;  ///< enumerators that the headers of another release define as macros
    std::string status_enum;              ///< tag of the enum that functions return, directly or in a struct
    /// Aliases, handles, callbacks and records, each after the types that its definition requires.
    std::vector<std::string> type_order;
    std::map<std::string, Availability> availability;  ///< availability of names of all kinds
    std::vector<Question> questions;
    std::vector<std::shared_ptr<const Model>> used;   ///< types of the libraries that the library uses, the preferred first
    std::map<std::string, std::string> used_types;    ///< library of each of their types; `types` and so on hold them, too
    std::map<std::string, std::string> used_handles;  ///< tag to handle, for the handles of these libraries
    std::set<std::string> mentioned_types;            ///< types of these libraries that the facts mention
    /// The lines of the vendor's documentation by symbol, only for output that stays on the user's machine.
    std::map<std::string, std::vector<std::string>> vendor_docs;
    std::string place;  ///< the folder of the specs, for messages

    /// Returns the form of a type name in generated code.
    std::string qualify(const std::string& name) const;
};

/// Returns every function in the byte order of the symbols. All tables that are indexed together use this order.
std::vector<const Function*> in_symbol_order(const Model& model);

/// Returns the type that `name` refers to after resolving all aliases.
std::string resolve_alias(const Model& model, const std::string& name);

/// The initial value of a field that holds the size of its record.
inline constexpr std::string_view initial_size = "sizeof";

/// Returns the value of a constant or enumerator; empty if the library has none of this name.
std::optional<std::int64_t> value_of_constant(const Model& model, const std::string& name);

/// Returns whether the type is an opaque record, under any of its names, that generated code only declares.
bool is_incomplete(const Model& model, const Type& type);

/// Returns the overrides of the library that declares a type: the library itself, or one that it uses.
const spec::Overrides& declaring_overrides(const Model& model, const std::string& type);

/// Returns the name in C++ of an enum.
const std::string& name_of_enum(const Model& model, const std::string& tag);

/// Returns whether the type is a struct or union under any of its names.
bool is_record(const Model& model, const Type& type);

}  // namespace cubind::gen::model
