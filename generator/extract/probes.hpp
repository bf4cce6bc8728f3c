// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "clang/translation_unit.hpp"
#include "extract/header_set.hpp"
#include "spec/facts.hpp"

/// Finds the values of object-like macros. The compiler evaluates them: for each candidate, the parsed source declares a type
/// and a variable that is initialized with the macro. The probes of macros that are not values, such as attributes or renames,
/// fail without a diagnostic.
namespace cubind::gen::extract {

struct MacroCandidate {
    std::string header;
    std::string body;     ///< the identifier that is the body, or the argument of the macro `wrapper`; else empty
    std::string wrapper;  ///< PER_THREAD in `#define cuFoo PER_THREAD(cuFoo_v2)`; else empty
};

/// The object-like macros that have a body, by name. Macros with reserved names are left out.
using MacroCandidates = std::map<std::string, MacroCandidate>;
MacroCandidates macro_candidates(const HeaderSet& headers);

/// Marks the functions whose names the headers also define as macros with parameters, such as `#define toyLog()`, even if a
/// condition such as #ifdef excludes the macro.
void mark_macros(spec::Facts& facts, const HeaderSet& headers);

/// Returns the source lines that probe each candidate. They must follow the includes.
std::string probe_source(const MacroCandidates& candidates);

/// Reads the results of the probes from a unit that was parsed with probe_source.
class ProbeReader {
public:
    ProbeReader(const MacroCandidates& candidates, const std::string& release) : candidates_(candidates), release_(release) {}

    /// Reads one declaration of the unit. Returns whether it is a probe.
    bool read(const clang::Cursor& cursor);
    /// Returns the macros that are values.
    std::vector<spec::Constant> constants() const;
    /// Returns the macros that name a function: macro to function.
    std::map<std::string, std::string> renames() const;
    /// Returns the macros that name a type.
    std::vector<spec::Alias> aliases() const;

private:
    struct Probe {
        std::string type;   ///< type of the macro as an expression, or the type that it names
        std::string alias;  ///< type that the macro names
        bool is_function = false;
        bool is_value = false;  ///< whether a constant can have the type
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
