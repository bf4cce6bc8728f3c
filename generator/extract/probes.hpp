// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clang/translation_unit.hpp"
#include "extract/header_set.hpp"
#include "spec/facts.hpp"

#include <map>
#include <string>
#include <vector>

/// Values of object-like macros. The compiler itself evaluates them: for each candidate the parsed source gets a type and a
/// variable initialised with it, and those that make no sense as a value (attributes, renames) fail quietly.
namespace cubind::gen::extract {

struct MacroCandidate {
    std::string header;
    std::string body;     ///< the identifier that the body is, or that it hands to the macro `wrapper`; else empty
    std::string wrapper;  ///< as in `#define cuFoo PER_THREAD(cuFoo_v2)`; else empty
};

/// Object-like macros with a body, by name; reserved names are left out.
using MacroCandidates = std::map<std::string, MacroCandidate>;
MacroCandidates macro_candidates(const HeaderSet& headers);

/// Source lines that probe each candidate, to stand after the includes.
std::string probe_source(const MacroCandidates& candidates);

/// Reads what became of the probes in a unit parsed with probe_source.
class ProbeReader {
public:
    ProbeReader(const MacroCandidates& candidates, const std::string& release)
        : candidates_(candidates), release_(release) {}

    /// Takes one declaration of the unit; true if it is a probe.
    bool take(const clang::Cursor& cursor);
    /// The macros that are values.
    std::vector<spec::Constant> constants() const;
    /// The macros that are another name of a function: name to function.
    std::map<std::string, std::string> renames() const;
    /// The macros that name a type.
    std::vector<spec::Alias> aliases() const;

private:
    struct Probe {
        std::string type;       ///< of the macro as an expression, or the type that it names
        std::string alias;      ///< the type that it names
        bool is_function = false;
        bool is_value = false;  ///< of a type that a constant can have
        bool has_value = false;
        std::int64_t value = 0;
    };
    template <class Entry>
    Entry entry(const std::string& name) const;

    const MacroCandidates& candidates_;
    const std::string& release_;
    std::map<std::string, Probe> probes_;
};

}  // namespace cubind::gen::extract
