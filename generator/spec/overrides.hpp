// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// overrides.json: what people decided after reading the vendor's documentation. Hand-written, one per library.
namespace cubind::gen::spec {

/// Parameter name to judgement, "direction shape [optional]", e.g. "in array(count) optional".
using ParameterJudgements = std::map<std::string, std::string>;

/// A function that the header defines inline, so that no library exports it: it calls another with `set` added to the flags
/// in `parameter`, unless one of `unless` is there. It is what that other's name means under the per-thread default stream.
struct Adapter {
    std::string calls;
    std::string parameter;
    std::vector<std::string> unless;  ///< enumerators
    std::string set;                  ///< enumerator
};

/// The calls that begin and end the life of one kind of object: function to the parameter that holds the object, as
/// "PARAMETER[.FIELD] [within PARAMETER] [owning PARAMETER] [uncaptured PARAMETER]".
struct ObjectLives {
    bool counted = false;     ///< each begin adds a reference, each end takes one away
    bool in_context = false;  ///< ends with the context that was current when it began
    std::map<std::string, std::string> begin;
    std::map<std::string, std::string> end;
};

/// What an enumerator stands for that a device, or whatever has attributes, is asked for.
struct AttributeJudgement {
    bool yes_or_no = false;
    std::string unit;         ///< of a number, e.g. "bytes"; may be empty
    std::string description;  ///< in words of our own; empty where the enumerator's name says all
};

/// An enum whose enumerators each get an accessor: a class of theirs is generated.
struct AttributeConfig {
    std::string class_name;
    std::string prefix;                                    ///< of the enumerators; what follows it is the accessor's name
    std::vector<std::string> left_out;                     ///< enumerators that get none
    std::map<std::string, AttributeJudgement> judgements;  ///< by enumerator; one without is a number
};

struct Overrides {
    /// By function. A key speaks for the symbol of that name and for those that extend it by "_...", unless a longer key does.
    std::map<std::string, ParameterJudgements> functions;
    /// Direction tags of the header that are wrong: symbol, parameter, what the header says. Only these may be contradicted.
    std::map<std::string, ParameterJudgements> wrong_tags;
    /// By name.
    std::map<std::string, Adapter> adapters;
    /// Group of a function that stands in none.
    std::map<std::string, std::string> groups;
    /// Record, field, initial value: for a record whose all-zero state is not what its users expect.
    std::map<std::string, std::map<std::string, std::string>> initial_values;
    /// By what programmers call such an object. Functions stand for those that extend their names, as in `functions`.
    std::map<std::string, ObjectLives> objects;
    /// Function to the parameters, "PARAMETER[.FIELD]", whose objects have to belong to one context.
    std::map<std::string, std::vector<std::string>> same_context;
    /// Functions that end everything in the context that a parameter's object stands for, or, without one, in the current context.
    std::map<std::string, std::string> ends_contents;
    /// Enums whose enumerators may be combined.
    std::vector<std::string> bit_sets;
    /// By enum.
    std::map<std::string, AttributeConfig> attributes;
    /// Enumerators of the status enum, each in a sentence of our own.
    std::map<std::string, std::string> descriptions;
};

/// Reads one overrides.json; only its form is checked here. Throws InputError naming file and key.
Overrides read_overrides(const std::filesystem::path& file);

}  // namespace cubind::gen::spec
