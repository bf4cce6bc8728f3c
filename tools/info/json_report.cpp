// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/ptx_isa.hpp>

#include "json_writer.hpp"
#include "report.hpp"

namespace cubind::info {
namespace {

void write_functions(JsonWriter& json, const std::vector<LackingFunction>& functions) {
    json.begin_array();
    for (const auto& function : functions) {
        json.begin_object();
        json.key("symbol").string(function.symbol);
        json.key("since").string_or_null(function.since);
        json.key("removed").string_or_null(function.removed);
        json.end_object();
    }
    json.end_array();
}

void write_library(JsonWriter& json, const LibraryFacts& library) {
    json.begin_object();
    json.key("found").boolean(library.found);
    json.key("path").string_or_null(library.path);
    json.key("real_path").string_or_null(library.real_path);
    json.key("found_via").string_or_null(library.found_via);
    json.key("version").string_or_null(library.version_text);
    json.key("search_notes").begin_array();
    for (const auto& note : library.search_notes) json.string(note);
    json.end_array();
    json.key("why_missing").string_or_null(library.why_missing);
    json.key("bound_functions").number(library.bound);
    json.key("lacking_functions");
    if (library.found) {
        write_functions(json, library.lacking);
    } else {
        json.null();
    }
    json.end_object();
}

void write_driver(JsonWriter& json, const Facts& facts) {
    const detail::PtxLimit limit = detail::ptx_limit(facts.library("driver").version);
    json.begin_object();
    json.key("driver_version").string_or_null(facts.driver.file_version);
    json.key("usable").boolean(facts.driver.usable);
    json.key("status").string_or_null(facts.driver.status_name);
    json.key("status_code");
    if (facts.driver.is_queried) {
        json.number(facts.driver.status);
    } else {
        json.null();
    }
    json.key("status_description").string_or_null(facts.driver.description);
    json.key("ptx_isa").string_or_null(to_text(limit.ptx_isa));
    json.key("ptx_isa_is_exact").boolean(limit.is_exact);
    json.key("devices").begin_array();
    for (const auto& device : facts.driver.devices) {
        json.begin_object();
        json.key("ordinal").number(device.ordinal);
        json.key("name").string(device.name);
        json.key("architecture").number(device.architecture);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_compiler(JsonWriter& json, const CompilerFacts& compiler) {
    json.begin_object();
    json.key("ptx_isa").string_or_null(to_text(compiler.ptx_isa));
    json.key("problem").string_or_null(compiler.problem);
    json.key("headers").string_or_null(to_text(compiler.headers));
    json.key("headers_path").string_or_null(compiler.headers_path);
    json.key("architectures").begin_array();
    for (const int architecture : compiler.architectures) json.number(architecture);
    json.end_array();
    json.end_object();
}

void write_environment(JsonWriter& json, const Facts& facts) {
    json.begin_object();
    for (const auto& toolkit : facts.toolkits) json.key(toolkit.name).string_or_null(toolkit.value);
    for (const auto& library : facts.libraries) json.key(library.override_variable).string_or_null(library.override_value);
    json.end_object();
}

}  // namespace

std::string json_report(const Facts& facts, const std::vector<Mismatch>& mismatches) {
    JsonWriter json;
    json.begin_object();
    json.key("schema").number(1);
    json.key("cubind").string(cubind_version());
    json.key("bound_release").string(to_text(bound_release()));
    json.key("libraries").begin_object();
    for (const auto& library : facts.libraries) write_library(json.key(library.name), library);
    json.end_object();
    write_driver(json.key("driver"), facts);
    write_compiler(json.key("compiler"), facts.compiler);
    write_environment(json.key("environment"), facts);
    json.key("mismatches").begin_array();
    for (const auto& mismatch : mismatches) {
        json.begin_object();
        json.key("id").string(mismatch.id);
        json.key("text").string(mismatch.text);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return json.text() + "\n";
}

}  // namespace cubind::info
