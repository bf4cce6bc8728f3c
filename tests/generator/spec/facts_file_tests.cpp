// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "spec/facts_file.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Facts;
using gen::spec::facts_text;
using gen::spec::read_facts;

template <class Entry>
Entry entry(const std::string& name, const std::string& since) {
    Entry fresh;
    fresh.name = name;
    fresh.since = since;
    if constexpr (requires { fresh.header; }) fresh.header = "toy.h";
    return fresh;
}

gen::spec::Record size_record() {
    gen::spec::NestedRecord inner;
    inner.is_union = true;
    inner.size = 4;
    inner.alignment = 4;
    inner.fields = {{"x", "int", 0, "", "", nullptr, {}}};
    auto record = entry<gen::spec::Record>("toySize", "2.0");
    record.size = 28;
    record.alignment = 4;
    record.fields = {{"width", "int", 0, "13.4", "", nullptr, {}},
                     {"", "", 4, "", "", std::make_shared<const gen::spec::NestedRecord>(inner), {2, 3}}};
    auto& former = record.history.emplace_back();
    former.until = "13.4";
    former.header = "toy.h";
    former.size = 4;
    former.alignment = 4;
    former.fields = {{"height", "int", 0, "", "13.4", nullptr, {}}};
    return record;
}

/// Returns one entry of each kind, with every key that such an entry can have.
Facts full() {
    Facts facts;
    facts.library = "toy";
    facts.releases = {"12.8", "13.0", "13.4"};
    auto open = entry<gen::spec::Function>("toyOpen_v2", "3.2");
    open.removed = "13.4";
    open.absent = {"13.0"};
    open.group = "BOX";
    open.view = "internal";
    open.returns = "toyStatus";
    open.parameters = {{"box", "toyBox *", "out", ""}, {"", "int", "", "4"}};
    facts.functions = {open};
    facts.public_names = {{"toyOpen", {{"3.2", "13.4", "toyOpen_v2", "toyOpen_v2"}}}};
    auto status = entry<gen::spec::Enum>("toyStatus", "2.0");
    status.underlying = "int";
    status.enumerators = {entry<gen::spec::Enumerator>("TOY_OK", "2.0"), entry<gen::spec::Enumerator>("TOY_BAD", "12.8")};
    status.enumerators[1].value = -1;
    status.enumerators[1].removed = "13.0";
    status.orders["12.8"] = {"TOY_BAD", "TOY_OK"};
    facts.enums = {status};
    facts.records = {size_record()};
    facts.opaque_records = {entry<gen::spec::OpaqueRecord>("toySecret", "2.0")};
    facts.opaque_records[0].is_union = true;
    facts.opaque_records[0].is_system = true;
    facts.opaque_records[0].size = 16;
    facts.opaque_records[0].alignment = 8;
    facts.handles = {entry<gen::spec::Handle>("toyBox", "2.0")};
    facts.handles[0].tag = "toyBox_st";
    facts.aliases = {entry<gen::spec::Alias>("toyCount", "2.0")};
    facts.aliases[0].view = "internal";
    facts.aliases[0].type = "int";
    facts.aliases[0].is_macro = true;
    facts.callbacks = {entry<gen::spec::Callback>("toyListener", "2.0")};
    facts.callbacks[0].returns = "void";
    facts.callbacks[0].parameters = {{"state", "void *", "", ""}};
    facts.constants = {entry<gen::spec::Constant>("TOY_VERSION", "2.0")};
    facts.constants[0].removed = "13.0";
    facts.constants[0].type = "int";
    facts.constants[0].value = 13040;
    return facts;
}

TEST(FactsFileTest, ReadsAllThatWasWritten) {
    const ScratchFolder scratch;
    const std::string text = facts_text(full());
    const Facts again = read_facts(scratch.write("api.json", text));
    EXPECT_EQ(facts_text(again), text);
    EXPECT_EQ(again.functions.at(0).parameters.at(1).default_value, "4");
    EXPECT_EQ(again.public_names.at(0).meanings.at(0).per_thread, "toyOpen_v2");
    EXPECT_EQ(again.enums.at(0).enumerators.at(1).value, -1);
    EXPECT_EQ(again.records.at(0).fields.at(1).extents, (std::vector<std::int64_t>{2, 3}));
    EXPECT_TRUE(again.records.at(0).fields.at(1).record->is_union);
    EXPECT_TRUE(again.aliases.at(0).is_macro);
    EXPECT_EQ(again.functions.at(0).absent, std::vector<std::string>{"13.0"});
    EXPECT_EQ(again.records.at(0).history.at(0).fields.at(0).removed, "13.4");
    EXPECT_EQ(again.enums.at(0).orders.at("12.8").front(), "TOY_BAD");
    EXPECT_EQ(again.releases, (std::vector<std::string>{"12.8", "13.0", "13.4"}));
}

TEST(FactsFileTest, WritesTheKeysInTheDocumentedOrder) {
    const std::string text = facts_text(full());
    std::size_t at = 0;
    for (const char* key : {"schema", "library", "releases", "functions", "public_names", "enums", "records", "handles",
                            "aliases", "callbacks", "constants"}) {
        const std::size_t found = text.find("\n  \"" + std::string(key) + "\": ", at);
        ASSERT_NE(found, std::string::npos) << key << " is missing or out of order";
        at = found + 1;
    }
}

TEST(FactsFileTest, OmitsDefaultValues) {
    Facts facts;
    facts.library = "toy";
    facts.functions = {entry<gen::spec::Function>("toyStop", "2.0")};
    facts.functions[0].returns = "void";
    expect_contains(
        facts_text(facts),
        "[{\"name\": \"toyStop\", \"since\": \"2.0\", \"header\": \"toy.h\", \"returns\": \"void\", \"parameters\": []}]");
}

/// Returns the error for the full file with `before` replaced by `now`.
std::string error_with(const std::string& before, const std::string& now) {
    const ScratchFolder scratch;
    scratch.write("api.json", facts_text(full()));
    scratch.replace("api.json", before, now);
    const std::string message = input_error_of([&] { read_facts(scratch.below("api.json")); });
    expect_contains(message, scratch.below("api.json").string());
    return message;
}

TEST(FactsFileTest, NamesTheEntryWithAnUnknownKey) {
    const std::string message = error_with("\"returns\": \"toyStatus\"", "\"return\": 1, \"returns\": \"toyStatus\"");
    expect_contains(message, "functions/0 (toyOpen_v2): the key \"return\" is unknown");
    expect_contains(message, "The known keys are: ");
    expect_contains(message, "returns");
}

TEST(FactsFileTest, NamesTheEntryWithAMissingKey) {
    expect_contains(error_with("\"tag\": \"toyBox_st\"", "\"view\": \"internal\""),
                    "handles/0 (toyBox): the key \"tag\" is missing; add it");
}

TEST(FactsFileTest, NamesThePlaceOfAValueOfTheWrongKind) {
    expect_contains(error_with("\"value\": -1", "\"value\": 1.5"),
                    "enumerators/1 (TOY_BAD)/value: must be a whole number, not 1.5");
    expect_contains(error_with("\"returns\": \"toyStatus\"", "\"returns\": 3"),
                    "functions/0 (toyOpen_v2)/returns: must be a string, not 3");
    expect_contains(error_with("\"macro\": true", "\"macro\": \"yes\""), "aliases/0 (toyCount)/macro: must be true or false");
    expect_contains(error_with("\"releases\": [\"12.8\", \"13.0\", \"13.4\"]", "\"releases\": \"13.4\""),
                    "releases: must be a list");
    expect_contains(error_with("\"extents\": [2, 3]", "\"extents\": [2, \"3\"]"), "extents/1: must be a whole number");
}

TEST(FactsFileTest, RejectsAnotherSchema) {
    const std::string message = error_with("\"schema\": 2", "\"schema\": 1");
    expect_contains(message, "the schema is 1");
    expect_contains(message, "extract the headers");
}

TEST(FactsFileTest, RejectsADuplicateName) {
    // The handle has the name of the enum. All kinds of types share one set of names.
    expect_contains(error_with("\"name\": \"toyBox\"", "\"name\": \"toyStatus\""),
                    "handles/toyStatus: the name is defined twice");
    expect_contains(error_with("\"name\": \"toySize\"", "\"name\": \"\""), "records: the name of an entry is empty");
}

}  // namespace
}  // namespace cubind::testing
