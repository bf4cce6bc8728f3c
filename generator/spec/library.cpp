// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/library.hpp"

#include "spec/archive.hpp"

namespace cubind::gen::spec {
template <class Archive>
void describe(Archive& archive, ViewConfig& value) {
    archive.required("name", value.name);
    archive.required("defines", value.defines);
}

template <class Archive>
void describe(Archive& archive, ReleaseConfig& value) {
    archive.required("header", value.header);
    archive.required("macro", value.macro);
}

template <class Archive>
void describe(Archive& archive, StatusConfig& value) {
    archive.required("type", value.type);
    archive.required("library_missing", value.library_missing);
    archive.required("symbol_missing", value.symbol_missing);
    archive.required("invalid_argument", value.invalid_argument);
}

template <class Archive>
void describe(Archive& archive, LoadingConfig& value) {
    archive.required("file_names", value.file_names);
    archive.optional("refused_file_names", value.refused_file_names);
    archive.optional("wheel_directories", value.wheel_directories);
    archive.optional("from_os_loader_only", value.from_os_loader_only);
    archive.optional("version_function", value.version_function);
    archive.optional("fallback_symbol", value.fallback_symbol);
    archive.optional("major", value.major);
}

template <class Archive>
void describe(Archive& archive, QueriesConfig& value) {
    archive.optional("current_context", value.current_context);
    archive.optional("is_capturing", value.is_capturing);
}

template <class Archive>
void describe(Archive& archive, SimulationConfig& value) {
    archive.required("namespace", value.space);
    archive.required("header", value.header);
}

template <class Archive>
void describe(Archive& archive, LibraryConfig& value) {
    archive.required("library", value.library);
    archive.required("title", value.title);
    archive.required("headers", value.headers);
    archive.optional("type_headers", value.type_headers);
    archive.optional("versions_header", value.versions_header);
    archive.required("release", value.release);
    archive.optional("views", value.views);
    archive.optional("per_thread_macro", value.per_thread_macro);
    archive.required("status", value.status);
    archive.required("loading", value.loading);
    archive.optional("queries", value.queries);
    archive.optional("packages", value.packages);
    archive.required("documentation", value.documentation);
    archive.optional("groups", value.groups);
    archive.optional("default_group", value.default_group);
    archive.optional("simulated", value.simulated);
}

static bool is_major_or_release(const std::string& text) {
    const std::size_t dot = text.find('.');
    const auto is_number = [](const std::string& part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    };
    return is_number(text.substr(0, dot)) && (dot == std::string::npos || is_number(text.substr(dot + 1)));
}

LibraryConfig read_library(const std::filesystem::path& file) {
    const ParsedJson json = read_json(file);
    Reader reader(json, file.string());
    LibraryConfig config;
    describe(reader, config);
    reader.finish();
    if (config.headers.empty()) reader.fail("\"headers\" is empty; name the header that declares the functions");
    if (config.loading.file_names.empty()) reader.fail("\"loading/file_names\" is empty; name the library's soname");
    const std::string& fallback = config.loading.fallback_symbol;
    if (!fallback.empty() && fallback.find("{symbol}") == std::string::npos) {
        reader.fail("\"loading/fallback_symbol\" is \"" + fallback +
                    "\", which has no {symbol}; put {symbol} where the function's symbol belongs");
    }
    if (config.loading.major != 0 && config.loading.version_function.empty()) {
        reader.fail(
            "\"loading/major\" is " + std::to_string(config.loading.major) +
            ", but no function returns the library's version; name one in loading/version_function, or remove loading/major");
    }
    for (const auto& [key, names] : config.packages) {
        if (key == "include_directories" || key == "files" || is_major_or_release(key)) continue;
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
