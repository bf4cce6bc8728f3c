// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// overrides.json holds the decisions made after reading the vendor's documentation. It is written by hand, one file per library.
namespace cubind::gen::spec {

/// Parameter name to annotation, "DIRECTION SHAPE [optional]", such as "in array(count) optional".
using ParameterAnnotations = std::map<std::string, std::string>;

/// A function that the header defines inline, so no library exports it. It calls another function, and adds `set` to the flags
/// in `parameter` unless they contain one of `unless`. Under the per-thread default stream, the name of that other function
/// refers to this inline function.
struct Adapter {
    std::string calls;
    std::string parameter;
    std::vector<std::string> unless;  ///< enumerators
    std::string set;                  ///< enumerator
};

/// The calls that begin and end the lifetime of one kind of object. `begin` and `end` map a function to the parameter that
/// holds the object, as "PARAMETER[.FIELD] [within PARAMETER] [owning PARAMETER] [uncaptured PARAMETER]".
struct ObjectLifetime {
    bool counted = false;     ///< each begin adds a reference, each end removes one
    bool in_context = false;  ///< the object ends with the context that was current when it began
    std::map<std::string, std::string> begin;
    std::map<std::string, std::string> end;
};

/// The meaning of an enumerator that selects an attribute of a device or another object.
struct AttributeAnnotation {
    bool yes_or_no = false;
    std::string unit;         ///< unit of a number, such as "bytes"; may be empty
    std::string description;  ///< our own text, not the vendor's; empty if the enumerator's name is sufficient
};

/// An enum for which a class is generated, with one accessor per enumerator.
struct AttributeConfig {
    std::string class_name;
    std::string prefix;                                      ///< prefix of the enumerators; the rest is the accessor's name
    std::vector<std::string> left_out;                       ///< enumerators without an accessor
    std::map<std::string, AttributeAnnotation> annotations;  ///< by enumerator; the default is a plain number
};

struct Overrides {
    /// Parameter annotations by function. A key applies to the symbol of that name and to the symbols that extend it by "_...",
    /// unless a longer key applies.
    std::map<std::string, ParameterAnnotations> functions;
    /// Annotations that apply to all functions of the library, by parameter. A key is a parameter's name, or its declaration such
    /// as "const void* alpha", which has precedence over the name. A rule applies to a pointer that neither `functions` nor the
    /// pointer's type decides.
    ParameterAnnotations parameters;
    /// Symbols that the headers declare and that no library exports, and variadic functions. They are not bound.
    std::vector<std::string> not_exported;
    /// Functions that headers declare before the library exports them, with the first release that exports each.
    std::map<std::string, std::string> exported_since;
    /// Wrong direction tags of the header by symbol and parameter. An annotation may contradict only these tags.
    std::map<std::string, ParameterAnnotations> wrong_tags;
    /// Adapters by the name of the inline function.
    std::map<std::string, Adapter> adapters;
    /// Documentation group of each function that is in no group in the headers.
    std::map<std::string, std::string> groups;
    /// Initial values by record and field, for records whose all-zero state is not a useful default.
    std::map<std::string, std::map<std::string, std::string>> initial_values;
    /// Object lifetimes by kind of object. The name of a function also applies to the symbols that extend it, as in
    /// `functions`.
    std::map<std::string, ObjectLifetime> objects;
    /// Maps a function to the parameters, "PARAMETER[.FIELD]", whose objects must belong to one context.
    std::map<std::string, std::vector<std::string>> same_context;
    /// Maps a function to the parameter that identifies the context in which the function ends all objects; empty for the
    /// current context.
    std::map<std::string, std::string> ends_contents;
    /// Enums whose enumerators may be combined.
    std::vector<std::string> bit_sets;
    /// Enums with valid values that are no enumerators.
    std::vector<std::string> open_enums;
    /// Attribute classes by enum.
    std::map<std::string, AttributeConfig> attributes;
    /// Each enumerator of the status enum with a description in our own words.
    std::map<std::string, std::string> descriptions;
};

/// Reads one overrides.json and checks its form only. Throws InputError with file and key.
Overrides read_overrides(const std::filesystem::path& file);

}  // namespace cubind::gen::spec
