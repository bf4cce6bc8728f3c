// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// library.json and api.json that are not as they must be.
class BadSpecs : public GeneratorTest {
protected:
    /// The specs with `before` replaced are refused, and are as before again afterwards.
    void expect_refused_with(const std::string& file, const std::string& before, const std::string& now,
                             const std::string& part) {
        const std::string good = read(file);
        replace(file, before, now);
        expect_specs_refused(part);
        write(file, good);
    }
    void expect_library_refused(const std::string& before, const std::string& now, const std::string& part) {
        expect_refused_with(library, before, now, "project/api-specs/toy/library.json" + part);
    }
    void expect_facts_refused(const std::string& before, const std::string& now, const std::string& part) {
        expect_refused_with(facts, before, now, "project/api-specs/toy/api.json" + part);
    }
};

TEST_F(BadSpecs, any_file_may_be_missing) {
    for (const char* file : {overrides}) {
        const std::string good = read(file);
        fs::remove(below(file));
        expect_specs_refused("project/" + std::string(file) + ": cannot be read");
        write(file, good);
    }
}

TEST_F(BadSpecs, missing_facts_are_extracted) {
    fs::remove(below(facts));
    expect_specs_refused("cubind-gen extract");
}

TEST_F(BadSpecs, any_file_may_be_empty) {
    for (const char* file : {library, facts, overrides}) {
        const std::string good = read(file);
        write(file, "");
        expect_specs_refused("project/" + std::string(file) + ": is empty; it must hold one JSON object");
        write(file, " \n");
        expect_specs_refused("project/" + std::string(file) + ": is empty");
        write(file, good);
    }
}

TEST_F(BadSpecs, any_file_may_be_malformed) {
    for (const char* file : {library, facts, overrides}) {
        const std::string good = read(file);
        write(file, "{\n  \"library\" \"toy\"\n}\n");
        expect_specs_refused("project/" + std::string(file) + ":2:");
        expect_specs_refused("mend the syntax");
        write(file, "[1, 2]\n");
        expect_specs_refused("project/" + std::string(file) + ": must be an object");
        write(file, good.substr(0, good.size() / 2));
        expect_specs_refused("project/" + std::string(file) + ":");
        write(file, good);
    }
}

TEST_F(BadSpecs, no_library_is_left) {
    fs::remove(below(library));
    for (const char* verb : {"emit", "report"}) expect_refused(verb, "project/api-specs: holds no library");
    fs::remove_all(below("api-specs"));
    for (const char* verb : {"emit", "report"}) expect_refused(verb, "project/api-specs: is not a folder");
}

TEST_F(BadSpecs, library_json_has_an_unknown_key) {
    expect_library_refused("\"title\"", "\"titel\": \"x\", \"title\"", ": has the unknown key \"titel\"; it may have: ");
    expect_library_refused("\"macro\"", "\"makro\": \"x\", \"macro\"", "/release: has the unknown key \"makro\"");
    expect_library_refused("\"file_names\"", "\"file_name\": \"x\", \"file_names\"",
                           "/loading: has the unknown key \"file_name\"");
}

TEST_F(BadSpecs, library_json_lacks_a_key) {
    expect_library_refused("\"title\": \"toy library\",", "", ": lacks the key \"title\"; add it");
    expect_library_refused("\"type\": \"toyStatus\",", "", "/status: lacks the key \"type\"");
}

TEST_F(BadSpecs, library_json_has_the_wrong_kind_of_value) {
    expect_library_refused("[\"toy.h\"]", "\"toy.h\"", "/headers: must be a list");
    expect_library_refused("[\"toy.h\"]", "[]", ": headers is empty; name the header");
    expect_library_refused("\"TOY_BOX\": \"box\"", "\"TOY_BOX\": 1", "/groups/TOY_BOX: must be a string, not 1");
    expect_library_refused("[\"libtoy.so.1\"]", "[]", ": loading/file_names is empty");
}

TEST_F(BadSpecs, library_json_is_another_librarys) {
    expect_library_refused("\"library\": \"toy\"", "\"library\": \"top\"",
                           ": is for the library \"top\", but stands in the folder \"toy\"");
}

TEST_F(BadSpecs, library_json_names_what_does_not_exist) {
    expect_library_refused("\"type\": \"toyStatus\"", "\"type\": \"toyStats\"", ": status/type names toyStats");
    expect_library_refused("\"library_missing\": \"TOY_NO_LIBRARY\"", "\"library_missing\": \"TOY_NONE\"",
                           ": status names TOY_NONE, which is no enumerator of toyStatus");
    expect_library_refused("\"invalid_argument\": \"TOY_NO_FUNCTION\"", "\"invalid_argument\": \"TOY_NO\"",
                           ": status names TOY_NO, which is no enumerator of toyStatus");
    expect_library_refused("\"loading\"", "\"queries\": {\"current_context\": \"toyWhere\"}, \"loading\"",
                           ": queries/current_context: toyWhere is no function of the library");
    expect_library_refused("\"type\": \"toyStatus\"", "\"type\": \"toySize\"", ": status/type names toySize");
    expect_library_refused("\"TOY_DATA\": \"data\"", "\"TOY_DATUM\": \"data\"", ": groups/TOY_DATUM: no function stands in it");
    expect_library_refused("\"TOY_DATA\": \"data\"", "\"TOY_DATA\": \"data\", \"TOY_GHOST\": \"ghost\"", ": groups/TOY_GHOST");
}

TEST_F(BadSpecs, library_json_names_a_version_function_that_tells_no_version) {
    const std::string at = "project/api-specs/toy/library.json: loading/version_function: ";
    const std::string good = read(library);
    const auto name_version_function = [&](const std::string& name) {
        write(library, good);
        replace(library, "[\"libtoy.so.1\"]", "[\"libtoy.so.1\"], \"version_function\": \"" + name + "\"");
    };
    name_version_function("toyVersion");
    expect_refused("emit", at + "toyVersion is no function of the library");
    name_version_function("toyListen");
    expect_refused("emit", at + "toyListen has 3 parameters");
}

TEST_F(BadSpecs, library_json_needs_a_major_that_nothing_tells) {
    expect_library_refused("[\"libtoy.so.1\"]", "[\"libtoy.so.1\"], \"major\": 3",
                           ": loading/major is 3, but nothing tells the library's major; name a loading/version_function");
}

TEST_F(BadSpecs, library_json_has_a_fallback_symbol_that_is_one_name_for_all) {
    expect_library_refused("[\"libtoy.so.1\"]", "[\"libtoy.so.1\"], \"fallback_symbol\": \"__toy_12_0\"",
                           ": loading/fallback_symbol is \"__toy_12_0\", one name for all functions; put {symbol}");
}

TEST_F(BadSpecs, library_json_gives_a_group_a_name_that_is_taken) {
    replace(library, "\"TOY_DATA\": \"data\"", "\"TOY_DATA\": \"types\"");
    expect_refused("emit", "project/api-specs/toy/library.json: groups contains the generated file include/cubind/toy/types.hpp");
}

TEST_F(BadSpecs, library_json_gives_a_group_a_name_that_is_none) {
    for (const char* name : {"", "../box", "a b"}) {
        expect_library_refused("\"TOY_DATA\": \"data\"", "\"TOY_DATA\": \"" + std::string(name) + "\"", ": groups/TOY_DATA");
    }
}

TEST_F(BadSpecs, library_json_may_gather_groups_in_one_file) {
    replace(library, "\"TOY_DATA\": \"data\"", "\"TOY_DATA\": \"box\"");
    const Outcome emitted = run("emit");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
    expect_contains(read("generated/toy/include/cubind/toy/box.hpp"), "toyRead(");
}

TEST_F(BadSpecs, api_json_has_an_unknown_or_missing_key) {
    expect_facts_refused("\"returns\"", "\"return\": \"x\", \"returns\"",
                         "/functions/0 (toyClose): has the unknown key \"return\"");
    expect_facts_refused("\"returns\": \"toyStatus\",", "", "/functions/0 (toyClose): lacks the key \"returns\"");
    expect_facts_refused("\"schema\": 2", "\"schema\": 99", ": has schema 99");
}

TEST_F(BadSpecs, api_json_is_another_librarys) {
    expect_facts_refused("\"library\": \"toy\"", "\"library\": \"top\"",
                         ": holds the facts of top, not of toy; extract toy again");
}

TEST_F(BadSpecs, api_json_mentions_a_type_that_it_does_not_define) {
    expect_facts_refused("\"type\": \"toyBox\"", "\"type\": \"toyBocks\"", ": functions/toyClose uses the type toyBocks");
    expect_facts_refused("\"type\": \"int\", \"offset\": 0", "\"type\": \"toyInt\", \"offset\": 0",
                         ": records/toySize_st.width uses");
    expect_facts_refused("\"type\": \"toyBox\"", "\"type\": \"toyBox &\"",
                         ": functions/toyClose: the type \"toyBox &\" cannot be read");
}

TEST_F(BadSpecs, api_json_gives_a_public_name_to_no_function) {
    expect_facts_refused("\"public_names\": {}",
                         "\"public_names\": {\"toyShut\": [{\"since\": \"13.4\", \"symbol\": \"toyShut_v2\"}]}",
                         ": public_names/toyShut: leads to toyShut_v2, which is not among the functions");
    expect_facts_refused("\"public_names\": {}", "\"public_names\": {\"toyShut\": []}", ": public_names/toyShut");
}

TEST_F(BadSpecs, api_json_states_no_release) {
    expect_facts_refused("\"releases\": [\"13.4\"]", "\"releases\": []", ": releases: is empty");
}

TEST_F(BadSpecs, api_json_states_what_is_no_release) {
    replace(facts, "\"since\": \"13.4\"", "\"since\": \"soon\"");
    expect_specs_refused("\"soon\" is no release");
    expect_specs_refused("project/api-specs/toy/api.json");
}

TEST_F(BadSpecs, api_json_has_a_parameter_whose_name_is_kept_for_generated_code) {
    expect_facts_refused("\"name\": \"box\"", "\"name\": \"result_\"", ": functions/toyClose has a parameter result_");
}

}  // namespace
}  // namespace cubind::testing
