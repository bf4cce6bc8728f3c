// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/environment.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include <cubind/layers/faults.hpp>
#include <cubind/layers/leaks.hpp>
#include <cubind/layers/trace.hpp>
#include <cubind/layers/validate.hpp>

#include "support/function_names.hpp"

namespace cubind::layers {

namespace {

std::string variable(const char* name) {
    const char* const text = std::getenv(name);
    return text != nullptr ? text : "";
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

[[noreturn]] void refuse(const char* name, const std::string& value, const std::string& expected) {
    throw std::invalid_argument(std::string(name) + ": \"" + value + "\" is not understood; expected " + expected);
}

void start_trace() {
    const std::string text = variable("CUBIND_TRACE");
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string format = text.substr(0, colon);
    trace::Options options;
    if (format == "json") {
        options.format = trace::Format::json_lines;
    } else if (format == "chrome") {
        options.format = trace::Format::chrome;
    } else if (!format.empty() && format != "text") {
        refuse("CUBIND_TRACE", text, "text, json or chrome, and perhaps :FILE");
    }
    options.file = colon < text.size() ? text.substr(colon + 1) : "";
    trace::start(options);
    std::atexit(trace::stop);
}

void start_validate() {
    const std::string text = variable("CUBIND_VALIDATE");
    if (!text.empty() && text != "warn" && text != "fail") refuse("CUBIND_VALIDATE", text, "warn or fail");
    validate::start({.action = text == "fail" ? validate::Action::fail : validate::Action::warn});
}

int status_named(const reflection::Library& library, const std::string& text, const std::string& whole) {
    for (const reflection::Enumerator& each : library.status->enumerators) {
        if (text == each.name) return static_cast<int>(each.value);
    }
    char* end = nullptr;
    const long number = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0') refuse("CUBIND_FAULTS", whole, std::string("a number or a name of ") + library.status->name + " behind =");
    return static_cast<int>(number);
}

void add_fault(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) refuse("CUBIND_FAULTS", text, "FUNCTION[#CALL]=STATUS");
    const std::size_t hash = std::min(text.find('#'), equals);
    const std::string function = text.substr(0, hash);
    const std::string call = hash < equals ? text.substr(hash + 1, equals - hash - 1) : "1";
    char* end = nullptr;
    const unsigned long number = call == "*" ? faults::every_call : std::strtoul(call.c_str(), &end, 10);
    if (call != "*" && (number == 0 || *end != '\0')) refuse("CUBIND_FAULTS", text, "a number from 1 on, or *, behind #");
    const auto functions = functions_named(function);
    if (functions.empty()) refuse("CUBIND_FAULTS", text, "a function of a library that cubind binds");
    faults::fail(function, status_named(*functions.front().library, text.substr(equals + 1), text), number);
}

void start_faults() {
    for (const std::string& each : split(variable("CUBIND_FAULTS"))) add_fault(each);
    faults::start();
}

void report_leaks() {
    const std::string report = leaks::report();
    if (!report.empty()) std::fprintf(stderr, "cubind: leaks: created and not destroyed\n%s", report.c_str());
}

void start_leaks() {
    leaks::start();
    std::atexit(report_leaks);
}

struct Starter {
    const char* name;
    void (*start)();
};

constexpr Starter starters[] = {
    {"trace", start_trace}, {"validate", start_validate}, {"faults", start_faults}, {"leaks", start_leaks}};

void (*starter_of(const std::string& name))() {
    for (const Starter& each : starters) {
        if (name == each.name) return each.start;
    }
    refuse("CUBIND_LAYERS", name, "trace, validate, faults or leaks, with commas between");
}

}  // namespace

void start_from_environment() {
    std::vector<void (*)()> wanted;
    for (const std::string& name : split(variable("CUBIND_LAYERS"))) wanted.push_back(starter_of(name));
    // Whatever is started goes on top.
    for (auto start = wanted.rbegin(); start != wanted.rend(); ++start) (*start)();
}

}  // namespace cubind::layers

/// The build names this symbol to the linker, so that linking the library is enough.
extern "C" const bool cubind_layers_started_from_environment = [] {
    try {
        cubind::layers::start_from_environment();
        return true;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cubind: %s\n", error.what());
        return false;
    }
}();
