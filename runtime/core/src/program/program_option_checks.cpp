// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/program_options.hpp>

#include <algorithm>
#include <string_view>

#include "program/options/option_check.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::in_quotes;
using detail::OptionCheck;

constexpr std::string_view standards[] = {"c++03", "c++11", "c++14", "c++17", "c++20", "c++23"};

bool is_identifier(std::string_view text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_inside = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
    return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), is_inside);
}

// An identifier, optionally with parameters: "SQUARE(x)".
bool is_macro(std::string_view text) {
    const std::size_t parenthesis = text.find('(');
    if (parenthesis == std::string_view::npos) return is_identifier(text);
    return is_identifier(text.substr(0, parenthesis)) && text.ends_with(')') &&
           text.find_first_of(" \t\r\n=") == std::string_view::npos;
}

void check_macros(const OptionCheck& check, const ProgramOptions& options) {
    for (const Macro& macro : options.define_macro) {
        if (!is_macro(macro.name)) {
            check.refuse("define_macro", in_quotes(macro.name),
                         "a name of letters, digits and _ is allowed, optionally with parameters and "
                         "without spaces, e.g. SQUARE(x); the value is the other member.");
        }
        check.text("define_macro", macro.value);
    }
    for (const std::string& name : options.undefine_macro) {
        if (!is_identifier(name)) check.refuse("undefine_macro", in_quotes(name), "a name of letters, digits and _ is allowed.");
    }
}

void check_texts(const OptionCheck& check, const ProgramOptions& options) {
    check.text("name", options.name);
    check.texts("ptxas_options", options.ptxas_options);
    check.text("frandom_seed", options.frandom_seed);
    check.texts("include_path", options.include_path);
    check.texts("pre_include", options.pre_include);
    check.text("use_bundled_headers", options.use_bundled_headers);
    check.text("time", options.time);
    check.text("fdevice_time_trace", options.fdevice_time_trace);
    check.text("create_pch", options.create_pch);
    check.text("use_pch", options.use_pch);
    check.text("pch_dir", options.pch_dir);
    check.texts("extra_options", options.extra_options);
}

void check_numbers(const OptionCheck& check, const ProgramOptions& options) {
    check.at_least(1, "max_register_count", options.max_register_count);
    check.at_least(0, "split_compile", options.split_compile);
    check.at_least(1, "diag_error", options.diag_error);
    check.at_least(1, "diag_suppress", options.diag_suppress);
    check.at_least(1, "diag_warn", options.diag_warn);
}

void check_contradictions(const OptionCheck& check, const ProgramOptions& options) {
    if (options.link_time_optimization && options.relocatable_device_code == false) {
        check.refuse("relocatable_device_code", "false",
                     "only true is allowed with link_time_optimization, which produces code to be linked.");
    }
    if (options.extensible_whole_program && options.relocatable_device_code == true) {
        check.refuse("relocatable_device_code", "true", "only false is allowed with extensible_whole_program.");
    }
    if (options.numba_debug && !options.debug) {
        check.refuse("numba_debug", "true", "it is allowed only with debug = true, which generates debug information.");
    }
    if (!options.create_pch.empty() && options.pch) {
        check.refuse("create_pch", in_quotes(options.create_pch),
                     "one of pch, create_pch and use_pch is allowed, and pch is set.");
    }
    if (!options.use_pch.empty() && (options.pch || !options.create_pch.empty())) {
        check.refuse("use_pch", in_quotes(options.use_pch),
                     "one of pch, create_pch and use_pch is allowed, and another one is set.");
    }
}

}  // namespace

void ProgramOptions::check() const {
    const OptionCheck check("ProgramOptions");
    check.architecture("arch", arch);
    if (!std.empty() && std::find(std::begin(standards), std::end(standards), std) == std::end(standards)) {
        check.refuse("std", in_quotes(std), "c++03, c++11, c++14, c++17, c++20 and c++23 are allowed.");
    }
    check_texts(check, *this);
    check_numbers(check, *this);
    check_macros(check, *this);
    check_contradictions(check, *this);
}

}  // namespace CUBIND_NAMESPACE
