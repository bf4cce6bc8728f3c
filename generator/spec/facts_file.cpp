// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/facts_file.hpp"

#include "spec/archive.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace cubind::gen::spec {
// Found by argument-dependent look-up from Reader and Writer, hence in no unnamed namespace.

constexpr std::int64_t schema = 1;

template <class Archive>
void describe(Archive& archive, Parameter& value) {
    archive.optional("name", value.name);
    archive.required("type", value.type);
    archive.optional("direction", value.direction);
    archive.optional("default", value.default_value);
}

template <class Archive, class Entry>
void describe_life(Archive& archive, Entry& value) {
    archive.optional("view", value.view);
    archive.required("since", value.since);
    archive.optional("removed", value.removed);
}

template <class Archive>
void describe(Archive& archive, Function& value) {
    archive.required("name", value.name);
    archive.required("header", value.header);
    archive.optional("group", value.group);
    describe_life(archive, value);
    archive.required("returns", value.returns);
    archive.required("parameters", value.parameters);
}

template <class Archive>
void describe(Archive& archive, Meaning& value) {
    archive.required("since", value.since);
    archive.required("symbol", value.symbol);
    archive.optional("per_thread", value.per_thread);
}

template <class Archive>
void describe(Archive& archive, Enumerator& value) {
    archive.required("name", value.name);
    archive.required("value", value.value);
    archive.optional("since", value.since);
    archive.optional("removed", value.removed);
}

template <class Archive>
void describe(Archive& archive, Enum& value) {
    archive.required("name", value.name);
    archive.required("header", value.header);
    describe_life(archive, value);
    archive.required("underlying", value.underlying);
    archive.required("enumerators", value.enumerators);
}

template <class Archive>
void describe(Archive& archive, Record& value);

template <class Archive>
void describe(Archive& archive, Field& value) {
    archive.optional("name", value.name);
    archive.optional("type", value.type);
    archive.required("offset", value.offset);
    archive.optional("since", value.since);
    archive.optional("removed", value.removed);
    archive.optional("extents", value.extents);
    archive.optional("record", value.record);
}

template <class Archive>
void describe(Archive& archive, Record& value) {
    archive.optional("name", value.name);
    archive.optional("header", value.header);
    archive.optional("view", value.view);
    archive.optional("since", value.since);
    archive.optional("removed", value.removed);
    archive.optional("union", value.is_union);
    archive.required("size", value.size);
    archive.required("alignment", value.alignment);
    archive.required("fields", value.fields);
}

template <class Archive>
void describe(Archive& archive, Handle& value) {
    archive.required("name", value.name);
    archive.required("header", value.header);
    describe_life(archive, value);
    archive.required("tag", value.tag);
}

template <class Archive>
void describe(Archive& archive, Alias& value) {
    archive.required("name", value.name);
    archive.required("header", value.header);
    describe_life(archive, value);
    archive.required("type", value.type);
    archive.optional("macro", value.is_macro);
}

template <class Archive>
void describe(Archive& archive, Callback& value) {
    archive.required("name", value.name);
    archive.required("header", value.header);
    describe_life(archive, value);
    archive.required("returns", value.returns);
    archive.required("parameters", value.parameters);
}

template <class Archive>
void describe(Archive& archive, Constant& value) {
    archive.required("name", value.name);
    archive.required("header", value.header);
    archive.required("since", value.since);
    archive.optional("removed", value.removed);
    archive.required("type", value.type);
    archive.required("value", value.value);
}

/// The whole file; public names stand in it as an object, since the name is what one looks for.
struct File {
    std::int64_t schema = spec::schema;
    Facts facts;
    std::map<std::string, std::vector<Meaning>> public_names;
};

template <class Archive>
void describe(Archive& archive, File& file) {
    archive.required("schema", file.schema);
    archive.required("library", file.facts.library);
    archive.required("releases", file.facts.releases);
    archive.required("functions", file.facts.functions);
    archive.required("public_names", file.public_names);
    archive.required("enums", file.facts.enums);
    archive.required("records", file.facts.records);
    archive.required("handles", file.facts.handles);
    archive.required("aliases", file.facts.aliases);
    archive.required("callbacks", file.facts.callbacks);
    archive.required("constants", file.facts.constants);
}

namespace {

void check_release(const std::string& release, const std::string& place) {
    const std::size_t dot = release.find('.');
    const auto is_number = [](std::string_view text) {
        return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    const std::string_view text = release;
    if (dot == std::string::npos || !is_number(text.substr(0, dot)) || !is_number(text.substr(dot + 1))) {
        throw InputError(place + ": \"" + release + "\" is no release; write it as 13.4");
    }
}

template <class Entries>
void check_unique(const Entries& entries, const char* kind, const std::string& file, std::set<std::string>& seen) {
    for (const auto& entry : entries) {
        check_release(entry.since, file + ": " + kind + "/" + entry.name);
        if (!entry.removed.empty()) check_release(entry.removed, file + ": " + kind + "/" + entry.name);
        if (entry.name.empty()) throw InputError(file + ": an entry of " + kind + " has an empty name");
        if (!seen.insert(entry.name).second) {
            throw InputError(file + ": " + kind + "/" + entry.name + " stands there twice; keep one");
        }
    }
}

}  // namespace

Facts read_facts(const std::filesystem::path& path) {
    const Json json = read_json(path);
    Reader reader(json, path.string());
    File file;
    describe(reader, file);
    reader.finish();
    if (file.schema != schema) {
        reader.fail("has schema " + std::to_string(file.schema) + ", this cubind-gen reads schema " +
                    std::to_string(schema) + "; extract it again");
    }
    for (auto& [name, meanings] : file.public_names) file.facts.public_names.push_back({name, meanings});

    if (file.facts.releases.empty()) reader.fail("releases is empty; extract the headers again");
    for (const auto& release : file.facts.releases) check_release(release, path.string() + ": releases");
    for (const auto& name : file.facts.public_names) {
        const std::string place = path.string() + ": public_names/" + name.name;
        if (name.meanings.empty()) throw InputError(place + ": is empty; extract the headers again");
        for (const auto& meaning : name.meanings) check_release(meaning.since, place);
    }
    std::set<std::string> functions, types, constants;
    check_unique(file.facts.functions, "functions", path.string(), functions);
    check_unique(file.facts.enums, "enums", path.string(), types);
    check_unique(file.facts.records, "records", path.string(), types);
    check_unique(file.facts.handles, "handles", path.string(), types);
    check_unique(file.facts.aliases, "aliases", path.string(), types);
    check_unique(file.facts.callbacks, "callbacks", path.string(), types);
    check_unique(file.facts.constants, "constants", path.string(), constants);
    return std::move(file.facts);
}

std::string facts_text(Facts facts) {
    File file;
    for (auto& name : facts.public_names) file.public_names[name.name] = name.meanings;
    file.facts = std::move(facts);
    Writer writer;
    describe(writer, file);
    return to_text(writer.json);
}

}  // namespace cubind::gen::spec
