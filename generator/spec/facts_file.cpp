// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/facts_file.hpp"

#include "spec/archive.hpp"
#include "spec/check_facts.hpp"
#include "spec/release.hpp"

namespace cubind::gen::spec {
// Reader and Writer find these functions by argument-dependent lookup, so they are not in an unnamed namespace.

constexpr std::int64_t schema = 2;

template <class Archive>
void describe(Archive& archive, Parameter& value) {
    archive.optional("name", value.name);
    archive.required("type", value.type);
    archive.optional("direction", value.direction);
    archive.optional("default", value.default_value);
    archive.optional("extent", value.extent);
}

template <class Archive>
void describe_body(Archive& archive, FunctionBody& value) {
    archive.required("header", value.header);
    archive.optional("group", value.group);
    archive.optional("view", value.view);
    archive.required("returns", value.returns);
    archive.required("parameters", value.parameters);
    archive.optional("macro", value.is_macro);
    archive.optional("variadic", value.is_variadic);
}

template <class Archive>
void describe_body(Archive& archive, EnumeratorBody& value) {
    archive.required("value", value.value);
}

template <class Archive>
void describe_body(Archive& archive, EnumBody& value) {
    archive.required("header", value.header);
    archive.optional("view", value.view);
    archive.required("underlying", value.underlying);
}

template <class Archive>
void describe(Archive& archive, NestedRecord& value);

template <class Archive>
void describe(Archive& archive, Field& value) {
    archive.optional("name", value.name);
    archive.optional("type", value.type);
    archive.required("offset", value.offset);
    archive.optional("since", value.since);
    archive.optional("removed", value.removed);
    archive.optional("extents", value.extents);
    archive.optional("bits", value.bits);
    archive.optional("bit", value.bit);
    archive.optional("private", value.is_private);
    archive.optional("record", value.record);
}

template <class Archive>
void describe_body(Archive& archive, RecordBody& value) {
    archive.optional("header", value.header);
    archive.optional("view", value.view);
    archive.optional("union", value.is_union);
    archive.required("size", value.size);
    archive.required("alignment", value.alignment);
    archive.required("fields", value.fields);
}

template <class Archive>
void describe(Archive& archive, NestedRecord& value) {
    archive.optional("name", value.name);
    describe_body(archive, static_cast<RecordBody&>(value));
}

template <class Archive>
void describe_body(Archive& archive, HandleBody& value) {
    archive.required("header", value.header);
    archive.optional("view", value.view);
    archive.required("tag", value.tag);
}

template <class Archive>
void describe_body(Archive& archive, OpaqueRecordBody& value) {
    archive.required("header", value.header);
    archive.optional("view", value.view);
    archive.optional("union", value.is_union);
    archive.optional("system", value.is_system);
    archive.optional("size", value.size);
    archive.optional("alignment", value.alignment);
}

template <class Archive>
void describe_body(Archive& archive, AliasBody& value) {
    archive.required("header", value.header);
    archive.optional("view", value.view);
    archive.required("type", value.type);
    archive.optional("macro", value.is_macro);
}

template <class Archive>
void describe_body(Archive& archive, CallbackBody& value) {
    archive.required("header", value.header);
    archive.optional("view", value.view);
    archive.required("returns", value.returns);
    archive.required("parameters", value.parameters);
}

template <class Archive>
void describe_body(Archive& archive, ConstantBody& value) {
    archive.required("header", value.header);
    archive.required("type", value.type);
    archive.required("value", value.value);
}

template <class Archive>
void describe_body(Archive& archive, VariableBody& value) {
    archive.required("header", value.header);
    archive.required("type", value.type);
}

template <class Archive, class Body>
void describe(Archive& archive, Former<Body>& value) {
    archive.required("until", value.until);
    describe_body(archive, static_cast<Body&>(value));
}

template <class Archive, class Body>
void describe(Archive& archive, Entry<Body>& value) {
    archive.required("name", value.name);
    archive.optional("since", value.since);
    archive.optional("removed", value.removed);
    archive.optional("absent", value.absent);
    describe_body(archive, static_cast<Body&>(value));
    archive.optional("history", value.history);
}

template <class Archive>
void describe(Archive& archive, Enum& value) {
    describe(archive, static_cast<Entry<EnumBody>&>(value));
    archive.required("enumerators", value.enumerators);
    archive.optional("orders", value.orders);
}

template <class Archive>
void describe(Archive& archive, Meaning& value) {
    archive.required("since", value.since);
    archive.optional("removed", value.removed);
    archive.required("symbol", value.symbol);
    archive.optional("per_thread", value.per_thread);
}

/// The whole file. Its public names form an object, so that a name is easy to find.
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
    archive.optional("versions", file.facts.versions);
    archive.required("functions", file.facts.functions);
    archive.required("public_names", file.public_names);
    archive.required("enums", file.facts.enums);
    archive.required("records", file.facts.records);
    archive.optional("opaque_records", file.facts.opaque_records);
    archive.required("handles", file.facts.handles);
    archive.required("aliases", file.facts.aliases);
    archive.required("callbacks", file.facts.callbacks);
    archive.required("constants", file.facts.constants);
    archive.optional("variables", file.facts.variables);
}

namespace {

/// Calls `change(enumerator, enum)` for each enumerator. The file states an enumerator's lifetime only if it differs from its
/// enum's.
template <class Change>
void for_each_enumerator(Facts& facts, Change change) {
    for (auto& entry : facts.enums) {
        for (auto& enumerator : entry.enumerators) change(enumerator, entry);
    }
}

}  // namespace

Facts read_facts(const std::filesystem::path& path) {
    const ParsedJson json = read_json(path);
    Reader reader(json, path.string());
    File file;
    describe(reader, file);
    reader.finish();
    if (file.schema != schema) {
        reader.fail("the schema is " + std::to_string(file.schema) + ", but this cubind-gen reads schema " +
                    std::to_string(schema) + "; delete the file and extract the headers of each release again");
    }
    for (auto& [name, meanings] : file.public_names) file.facts.public_names.push_back({name, meanings});

    for_each_enumerator(file.facts, [](Enumerator& enumerator, const Enum& entry) {
        if (enumerator.since.empty()) enumerator.since = entry.since;
        if (enumerator.removed.empty()) enumerator.removed = entry.removed;
    });
    check_facts(file.facts, path.string());
    return std::move(file.facts);
}

Facts read_facts(const std::filesystem::path& file, const LibraryConfig& config) {
    Facts facts = read_facts(file);
    if (facts.library != config.library) {
        throw InputError(file.string() + ": the file holds the facts of " + facts.library + " instead of " + config.library +
                         "; extract the headers of " + config.library + " again");
    }
    check_numbering(facts, config, file.string());
    return facts;
}

void check_numbering(const Facts& facts, const LibraryConfig& config, const std::string& place) {
    const std::string remedy = "; delete the file and extract the headers of each release again, or correct library.json";
    const std::string& newest = facts.releases.back();
    if (is_version(newest) == config.is_numbered_by_cuda()) {
        throw InputError(place + ": releases names " + newest + ", but library.json numbers the library by " +
                         (config.is_numbered_by_cuda() ? "releases of CUDA" : "its own versions") + remedy);
    }
    const bool has_versions = config.is_numbered_by_cuda() && config.version.is_stated();
    for (const auto& release : facts.releases) {
        if (facts.versions.contains(release) == has_versions) continue;
        throw InputError(place + ": versions has " + (has_versions ? "no entry" : "an entry") + " for " + release +
                         ", but library.json " + (has_versions ? "states" : "does not state") +
                         " a version beside the release of CUDA" + remedy);
    }
}

std::string facts_text(Facts facts) {
    for_each_enumerator(facts, [](Enumerator& enumerator, const Enum& entry) {
        if (enumerator.since == entry.since) enumerator.since.clear();
        if (enumerator.removed == entry.removed) enumerator.removed.clear();
    });
    File file;
    for (auto& name : facts.public_names) file.public_names[name.name] = name.meanings;
    file.facts = std::move(facts);
    Writer writer;
    describe(writer, file);
    return to_text(writer.json);
}

}  // namespace cubind::gen::spec
