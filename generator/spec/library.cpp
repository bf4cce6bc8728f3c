// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/library.hpp"

#include <algorithm>
#include <cctype>

#include "spec/archive.hpp"
#include "spec/release.hpp"

namespace cubind::gen::spec {
template <class Archive>
void describe(Archive& archive, ViewConfig& value) {
    archive.required("name", value.name, identifier);
    archive.required("defines", value.defines, identifier);
}

template <class Archive>
void describe(Archive& archive, ReleaseConfig& value) {
    archive.required("header", value.header, relative_path);
    archive.required("macro", value.macro, identifier);
}

template <class Archive>
void describe(Archive& archive, SideHeaderConfig& value) {
    archive.required("guard", value.guard, identifier);
    archive.optional("foreign", value.foreign);
    archive.keys("foreign", value.foreign, relative_path);
}

template <class Archive>
void describe(Archive& archive, StatusConfig& value) {
    archive.required("type", value.type, identifier);
    archive.optional("field", value.field, identifier);
    archive.optional("integer_functions", value.integer_functions, symbol_pattern);
    archive.optional("missing_values", value.missing_values, value_or_name);
    archive.required("library_missing", value.library_missing, identifier);
    archive.required("symbol_missing", value.symbol_missing, identifier);
    archive.required("invalid_argument", value.invalid_argument, identifier);
}

template <class Archive>
void describe(Archive& archive, LoadingConfig& value) {
    archive.required("file_names", value.file_names, file_name);
    archive.optional("refused_file_names", value.refused_file_names, file_name);
    archive.optional("wheel_directories", value.wheel_directories, relative_path);
    archive.optional("from_os_loader_only", value.from_os_loader_only);
    archive.optional("version_function", value.version_function, identifier);
    archive.optional("version_properties", value.version_properties, identifier);
    archive.optional("version_weights", value.version_weights);
    archive.optional("fallback_symbol", value.fallback_symbol);
    archive.optional("major", value.major);
    archive.optional("oldest", value.oldest);
    archive.optional("refused_from", value.refused_from);
}

template <class Archive>
void describe(Archive& archive, QueriesConfig& value) {
    archive.optional("current_context", value.current_context, identifier);
    archive.optional("is_capturing", value.is_capturing, identifier);
}

template <class Archive>
void describe(Archive& archive, SimulationConfig& value) {
    archive.required("namespace", value.space, scoped_identifier);
    archive.required("header", value.header, relative_path);
}

template <class Archive>
void describe(Archive& archive, LibraryConfig& value) {
    archive.required("library", value.library, library_name);
    archive.required("title", value.title, prose);
    archive.required("headers", value.headers, relative_path);
    archive.optional("type_headers", value.type_headers, relative_path);
    archive.optional("headers_since", value.headers_since);
    archive.optional("headers_guarded_since", value.headers_guarded_since);
    archive.optional("side_headers", value.side_headers);
    archive.keys("side_headers", value.side_headers, relative_path);
    archive.optional("uses", value.uses, library_name);
    archive.optional("versions_headers", value.versions_headers, relative_path);
    archive.optional("release", value.release);
    archive.optional("version", value.version);
    archive.optional("views", value.views);
    archive.optional("per_thread_macro", value.per_thread_macro, identifier);
    archive.optional("twin_prefix", value.twin_prefix, identifier);
    archive.required("status", value.status);
    archive.required("loading", value.loading);
    archive.optional("queries", value.queries);
    archive.optional("packages", value.packages);
    archive.required("documentation", value.documentation, web_address);
    archive.optional("sections", value.sections, identifier);
    archive.optional("groups", value.groups, library_name);
    archive.keys("groups", value.groups, identifier);
    archive.optional("default", value.is_default);
    archive.optional("default_group", value.default_group, identifier);
    archive.optional("simulated", value.simulated);
}

static bool is_major_or_release(const std::string& text) {
    const std::size_t dot = text.find('.');
    const auto is_number = [](const std::string& part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    };
    return is_number(text.substr(0, dot)) && (dot == std::string::npos || is_number(text.substr(dot + 1)));
}

/// Checks which numbers the releases of the spec have, and how the library reports its version.
static void check_numbers(const LibraryConfig& config, const std::string& file) {
    const auto fail = [&](const std::string& what) { throw InputError(file + ": " + what); };
    if (config.version.is_stated()) {
        check_version_config(config.version, file + ": version");
    } else if (!config.version.product.empty()) {
        fail("\"version/macros\" is empty; name the macros of major, minor and patch");
    }
    if (!config.is_numbered_by_cuda() && !config.version.is_stated()) {
        fail(
            "the keys \"release\" and \"version\" are missing; add \"release\" if the library is numbered by releases of "
            "CUDA, \"version\" if it has versions of its own, or both");
    }
    if (!config.is_numbered_by_cuda() && !config.versions_headers.empty()) {
        fail("\"versions_headers\" has \"" + config.versions_headers.front() +
             "\", whose types name releases of CUDA, but the library is numbered by its own versions; remove it or add "
             "\"release\"");
    }
    const LoadingConfig& loading = config.loading;
    if (loading.version_function.empty() && !(loading.version_properties.empty() && loading.version_weights.empty())) {
        fail(
            "\"loading/version_properties\" and \"loading/version_weights\" describe the version function, but there is no "
            "\"loading/version_function\"; name it, or remove them");
    }
    if (!loading.version_weights.empty()) check_weights(loading.version_weights, file + ": loading/version_weights");
}

/// Checks that the side headers have guards, and that only one states what a header of other software declares.
static void check_side_headers(const LibraryConfig& config, const std::string& file) {
    std::map<std::string, std::string> users;
    for (const auto& [header, side] : config.side_headers) {
        const std::string place = file + ": \"side_headers\" has " + header;
        if (std::find(config.headers.begin(), config.headers.end(), header) != config.headers.end()) {
            throw InputError(place + ", which is in headers, too; remove it from one of them");
        }
        for (const auto& entry : side.foreign) {
            const auto [user, is_first] = users.emplace(entry.first, header);
            if (is_first) continue;
            throw InputError(place + ", whose header " + entry.first + " is under " + user->second +
                             ", too; declare what both use under one of them");
        }
    }
}

/// Checks that the headers with a first release are headers of the library.
static void check_headers(const LibraryConfig& config, const std::string& file) {
    if (config.headers.empty()) throw InputError(file + ": \"headers\" is empty; name the header that declares the functions");
    check_side_headers(config, file);
    for (const auto& [header, release] : config.headers_since) {
        const auto has = [&wanted = header](const std::vector<std::string>& list) {
            return std::find(list.begin(), list.end(), wanted) != list.end();
        };
        if (!has(config.bound_headers()) && !has(config.type_headers)) {
            throw InputError(file + ": \"headers_since\" has " + header +
                             ", which is in neither headers nor type_headers nor side_headers; add it to one of them, or remove "
                             "the line");
        }
        check_release(release, file + ": headers_since/" + header);
    }
    for (const auto& [header, release] : config.headers_guarded_since) {
        if (std::find(config.headers.begin(), config.headers.end(), header) == config.headers.end()) {
            throw InputError(file + ": \"headers_guarded_since\" has " + header + ", which is not in headers; remove the line");
        }
        check_release(release, file + ": headers_guarded_since/" + header);
    }
}

std::vector<std::string> LibraryConfig::bound_headers() const {
    std::vector<std::string> names = headers;
    for (const auto& entry : side_headers) names.push_back(entry.first);
    return names;
}

std::map<std::string, std::vector<std::string>> LibraryConfig::foreign_headers() const {
    std::map<std::string, std::vector<std::string>> found;
    for (const auto& entry : side_headers) found.insert(entry.second.foreign.begin(), entry.second.foreign.end());
    return found;
}

std::string LibraryConfig::side_condition(const std::string& header) const {
    for (const auto& [name, side] : side_headers) {
        if (name == header || side.foreign.contains(header)) return "defined(" + side.guard + ")";
    }
    return {};
}

bool LibraryConfig::has_header(const std::string& header, const std::string& of_release) const {
    const auto since = headers_since.find(header);
    return since == headers_since.end() || !EarlierRelease()(of_release, since->second);
}

std::vector<std::string> LibraryConfig::release_macros() const {
    std::vector<std::string> macros = version.macros;
    if (is_numbered_by_cuda()) macros.push_back(release.macro);
    return macros;
}

namespace {

/// Checks a release in "loading" that limits the libraries that are used.
void check_limit(const LibraryConfig& config, const std::string& key, const std::string& release, const Reader& reader,
                 const std::filesystem::path& file) {
    if (release.empty()) return;
    const std::string setting = "\"loading/" + key + "\" is \"" + release + "\", ";
    check_release(release, file.string() + ": loading/" + key);
    if (is_version(release) == config.is_numbered_by_cuda()) {
        reader.fail(setting + "which is no " +
                    (config.is_numbered_by_cuda() ? "release of CUDA such as 13.4" : "version such as 2.19.3"));
    }
    if (config.loading.version_function.empty()) {
        reader.fail(setting +
                    "but no function returns the library's version; name one in loading/version_function, or remove loading/" +
                    key);
    }
}

}  // namespace

LibraryConfig read_library(const std::filesystem::path& file) {
    const ParsedJson json = read_json(file);
    Reader reader(json, file.string());
    LibraryConfig config;
    describe(reader, config);
    reader.finish();
    check_headers(config, file.string());
    check_numbers(config, file.string());
    for (auto name = config.uses.begin(); name != config.uses.end(); ++name) {
        if (std::find(config.uses.begin(), name, *name) != name) reader.fail("\"uses\" names " + *name + " twice; remove one");
    }
    if (config.loading.file_names.empty()) reader.fail("\"loading/file_names\" is empty; name the library's soname");
    const std::string& fallback = config.loading.fallback_symbol;
    if (!fallback.empty() && fallback.find("{symbol}") == std::string::npos) {
        reader.fail("\"loading/fallback_symbol\" is \"" + fallback +
                    "\", which has no {symbol}; put {symbol} where the function's symbol belongs");
    }
    if (!fallback.empty()) {
        std::string symbol = fallback;
        symbol.replace(symbol.find("{symbol}"), std::string_view("{symbol}").size(), "symbol");
        check_text(symbol, identifier, file.string() + "/loading/fallback_symbol");
    }
    if (config.loading.major != 0 && config.loading.version_function.empty()) {
        reader.fail(
            "\"loading/major\" is " + std::to_string(config.loading.major) +
            ", but no function returns the library's version; name one in loading/version_function, or remove loading/major");
    }
    check_limit(config, "oldest", config.loading.oldest, reader, file);
    check_limit(config, "refused_from", config.loading.refused_from, reader, file);
    for (const auto& [key, names] : config.packages) {
        const std::string place = file.string() + "/packages/" + key;
        if (key == "include_directories") {
            check_text(names, relative_path, place);
            continue;
        }
        if (key == "files") {
            std::vector<std::string> paths = names;
            for (auto& path : paths) {
                if (const std::size_t at = path.find("{release}"); at != std::string::npos) path.replace(at, 9, "release");
            }
            check_text(paths, relative_path, place);
            continue;
        }
        check_text(names, package_name, place);
        if (is_major_or_release(key)) continue;
        reader.fail("\"packages\" has the key \"" + key +
                    "\"; use a CUDA major such as \"13\", a release such as \"12.4\", \"include_directories\" or \"files\"");
    }
    if (file.has_parent_path() && file.parent_path().filename() != config.library) {
        reader.fail("\"library\" is \"" + config.library + "\", but the folder is \"" + file.parent_path().filename().string() +
                    "\"; use the same name for both");
    }
    return config;
}

}  // namespace cubind::gen::spec
