// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/judgement.hpp"
#include "model/questions.hpp"
#include "model/type.hpp"
#include "spec/facts.hpp"
#include "spec/library.hpp"
#include "spec/overrides.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// The specs with every question decided: what templates render and `cubind-gen model` prints.
namespace cubind::gen::model {

struct Parameter {
    std::string name;         ///< in C++
    std::string vendor_name;  ///< in the header; empty where it names none
    Type type;                ///< in C
    std::string stated_direction;
    std::optional<Judgement> judgement;  ///< of a pointer; empty as long as nothing decides it
    std::string judged_as;               ///< key of overrides.json that decided it
    std::string default_value;
    bool is_callback = false;  ///< of a function pointer type, spelt out or under a name

    bool needs_judgement() const { return type.is_pointer() || is_callback; }
    /// One object that the call fills in: given back by value.
    bool is_returned() const { return judgement && judgement->writes() && judgement->shape == Shape::value; }
    /// Stands in the C++ parameter list.
    bool is_taken() const { return !is_returned() || judgement->direction == Direction::inout; }
};

/// Where a call's arguments hold an object: in a parameter, or so many bytes into what that is or points to.
struct ObjectPlace {
    std::size_t parameter = 0;
    std::int64_t offset = 0;
};

/// What a call does to an object when it succeeds, see spec::ObjectLives.
struct Effect {
    enum class What { begins, ends, ends_contents };
    What what = What::begins;
    std::string kind;  ///< of object; empty for ends_contents
    std::optional<ObjectPlace> object;
    std::optional<std::size_t> within;      ///< parameter with the object that ends this one
    std::optional<std::size_t> owning;      ///< parameter with the context that it stands for
    std::optional<std::size_t> uncaptured;  ///< parameter with a stream: while that is being captured, the call does nothing yet
};

struct Function {
    std::string symbol;
    std::string name;  ///< in C++; differs from the symbol where a public name of newer meaning takes it
    std::string header;
    std::string group;  ///< documentation group
    std::string file;   ///< generated file that declares it, without ending
    std::string since;
    std::string removed;
    spec::View view;
    Type returns;
    bool returns_status = false;
    std::vector<Parameter> parameters;
    /// Where the parameter that the header calls so stands, if there is one.
    std::optional<std::size_t> position_of(const std::string& parameter) const;

    std::vector<Effect> effects;
    std::vector<ObjectPlace> same_context;  ///< the objects that have to belong to one context
    std::string adapter;     ///< name of the inline function of the header that calls it, see spec::Adapter
    bool is_per_thread = false;  ///< what a public name means under the per-thread default stream
    std::string per_thread;      ///< C++ name of what its own name means under the per-thread default stream
};

/// A name that programmers write for a function that is called otherwise.
struct PublicName {
    std::string name;
    std::string target;      ///< C++ name
    std::string per_thread;  ///< C++ name under the per-thread default stream, empty if the same
    std::string file;
};

/// The releases that have a name.
struct Availability {
    std::string since;
    std::string removed;
};

/// The accessor of one enumerator, see spec::AttributeConfig.
struct Attribute {
    std::string name;  ///< in C++
    std::string enumerator;
    std::string description;
    std::string unit;
    bool is_yes_or_no = false;
    std::string since;  ///< empty where it is as old as its enum
    std::string removed;
};

struct AttributeClass {
    std::string name;
    std::string file;         ///< generated file that defines it, without ending
    std::string enumeration;  ///< C++ name
    std::vector<Attribute> attributes;
};

enum class TypeKind { standard, enumeration, record, handle, tag, alias, callback };

struct Model {
    Model() = default;
    Model(Model&&) = default;  // and no copy, which would point into the original

    spec::LibraryConfig config;
    spec::Overrides overrides;
    spec::Facts facts;
    std::vector<Function> functions;
    std::vector<PublicName> public_names;
    std::vector<AttributeClass> attribute_classes;
    std::map<std::string, TypeKind> types;
    std::map<std::string, std::string> alias_types;  ///< alias to the type that it names
    std::map<std::string, const spec::Record*> records;
    std::map<std::string, const spec::Enum*> enums;
    /// Enum tag to the one typedef of it: what programmers write, and so the enum's name in C++; the tag becomes the alias.
    std::map<std::string, std::string> enum_names;
    std::set<std::string> former_macros;  ///< enumerators that headers of some release define as macros
    std::string status_enum;  ///< tag of the enum that functions return
    /// Aliases, handles, callbacks and records in an order in which each finds what it needs before it.
    std::vector<std::string> type_order;
    std::map<std::string, Availability> availability;  ///< by name, of any kind
    std::vector<Question> questions;
    /// The vendor's documentation by symbol, line by line: only for output that a user keeps on their own machine.
    std::map<std::string, std::vector<std::string>> vendor_docs;
    std::string place;  ///< the folder of the specs, for messages

    /// The form that a type name has in generated code.
    std::string qualify(const std::string& name) const;
};

/// Every function, in the order of their symbols (as bytes): that of all tables that stand beside each other.
std::vector<const Function*> in_symbol_order(const Model& model);

/// The type behind an alias of a name.
std::string resolve_alias(const Model& model, const std::string& name);

/// A struct or union, under any of its names.
bool is_record(const Model& model, const Type& type);

}  // namespace cubind::gen::model
