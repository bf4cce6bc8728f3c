// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// Invalid library.json and api.json files.
class BadSpecsTest : public GeneratorTest {
protected:
    /// Expects that the commands reject `file` with `before` replaced by `now`. Restores the file.
    void expect_rejected_with(const std::string& file, const std::string& before, const std::string& now,
                              const std::string& part) {
        const std::string good = read(file);
        replace(file, before, now);
        expect_specs_rejected(part);
        write(file, good);
    }
    void expect_library_rejected(const std::string& before, const std::string& now, const std::string& part) {
        expect_rejected_with(library, before, now, "project/api-specs/toy/library.json" + part);
    }
    void expect_facts_rejected(const std::string& before, const std::string& now, const std::string& part) {
        expect_rejected_with(facts, before, now, "project/api-specs/toy/api.json" + part);
    }
};

TEST_F(BadSpecsTest, ReportsAMissingFile) {
    for (const char* file : {overrides}) {
        const std::string good = read(file);
        fs::remove(below(file));
        expect_specs_rejected("project/" + std::string(file) + ": the file cannot be read");
        write(file, good);
    }
}

TEST_F(BadSpecsTest, NamesTheCommandThatWritesMissingFacts) {
    fs::remove(below(facts));
    expect_specs_rejected("cubind-gen extract");
}

TEST_F(BadSpecsTest, RejectsAnEmptyFile) {
    for (const char* file : {library, facts, overrides}) {
        const std::string good = read(file);
        write(file, "");
        expect_specs_rejected("project/" + std::string(file) + ": the file is empty");
        write(file, " \n");
        expect_specs_rejected("project/" + std::string(file) + ": the file is empty");
        write(file, good);
    }
}

TEST_F(BadSpecsTest, RejectsMalformedJson) {
    for (const char* file : {library, facts, overrides}) {
        const std::string good = read(file);
        write(file, "{\n  \"library\" \"toy\"\n}\n");
        expect_specs_rejected("project/" + std::string(file) + ":2:");
        expect_specs_rejected("correct the syntax");
        write(file, "[1, 2]\n");
        expect_specs_rejected("project/" + std::string(file) + ": must be an object");
        write(file, good.substr(0, good.size() / 2));
        expect_specs_rejected("project/" + std::string(file) + ":");
        write(file, good);
    }
}

TEST_F(BadSpecsTest, ReportsAFolderWithoutLibraries) {
    fs::remove(below(library));
    for (const char* verb : {"emit", "report"}) expect_rejected(verb, "project/api-specs: there is no library");
    fs::remove_all(below("api-specs"));
    for (const char* verb : {"emit", "report"}) expect_rejected(verb, "project/api-specs is not a folder");
}

TEST_F(BadSpecsTest, RejectsAnUnknownKeyOfLibraryJson) {
    expect_library_rejected("\"title\"", "\"titel\": \"x\", \"title\"", ": the key \"titel\" is unknown. The known keys are: ");
    expect_library_rejected("\"macro\"", "\"makro\": \"x\", \"macro\"", "/release: the key \"makro\" is unknown");
    expect_library_rejected("\"file_names\"", "\"file_name\": \"x\", \"file_names\"",
                            "/loading: the key \"file_name\" is unknown");
}

TEST_F(BadSpecsTest, RejectsAMissingKeyOfLibraryJson) {
    expect_library_rejected("\"title\": \"toy library\",", "", ": the key \"title\" is missing; add it");
    expect_library_rejected("\"type\": \"toyStatus\",", "", "/status: the key \"type\" is missing");
}

TEST_F(BadSpecsTest, RejectsAValueOfTheWrongKindInLibraryJson) {
    expect_library_rejected("[\"toy.h\"]", "\"toy.h\"", "/headers: must be a list");
    expect_library_rejected("[\"toy.h\"]", "[]", ": \"headers\" is empty");
    expect_library_rejected("\"TOY_BOX\": \"box\"", "\"TOY_BOX\": 1", "/groups/TOY_BOX: must be a string, not 1");
    expect_library_rejected("[\"libtoy.so.1\"]", "[]", ": \"loading/file_names\" is empty");
}

TEST_F(BadSpecsTest, RejectsLibraryJsonOfAnotherLibrary) {
    expect_library_rejected("\"library\": \"toy\"", "\"library\": \"top\"",
                            ": \"library\" is \"top\", but the folder is \"toy\"");
}

TEST_F(BadSpecsTest, RejectsUnknownNamesInLibraryJson) {
    expect_library_rejected("\"type\": \"toyStatus\"", "\"type\": \"toyStats\"", ": status/type names toyStats");
    expect_library_rejected("\"library_missing\": \"TOY_NO_LIBRARY\"", "\"library_missing\": \"TOY_NONE\"",
                            ": status names TOY_NONE, which is not an enumerator of toyStatus");
    expect_library_rejected("\"invalid_argument\": \"TOY_NO_FUNCTION\"", "\"invalid_argument\": \"TOY_NO\"",
                            ": status names TOY_NO, which is not an enumerator of toyStatus");
    expect_library_rejected("\"loading\"", "\"queries\": {\"current_context\": \"toyWhere\"}, \"loading\"",
                            ": queries/current_context: toyWhere is not a function of the library");
    expect_library_rejected("\"type\": \"toyStatus\"", "\"type\": \"toySize\"", ": status/type is toySize, which is a struct");
    expect_library_rejected("\"type\": \"toyStatus\"", "\"type\": \"toyBox\"", ": status/type names toyBox");
    expect_library_rejected("\"TOY_DATA\": \"data\"", "\"TOY_DATUM\": \"data\"",
                            ": groups/TOY_DATUM: no function belongs to this group");
    expect_library_rejected("\"TOY_DATA\": \"data\"", "\"TOY_DATA\": \"data\", \"TOY_GHOST\": \"ghost\"", ": groups/TOY_GHOST");
}

TEST_F(BadSpecsTest, RejectsAnInvalidVersionFunction) {
    const std::string at = "project/api-specs/toy/library.json: loading/version_function: ";
    const std::string good = read(library);
    const auto name_version_function = [&](const std::string& name) {
        write(library, good);
        replace(library, "[\"libtoy.so.1\"]", "[\"libtoy.so.1\"], \"version_function\": \"" + name + "\"");
    };
    name_version_function("toyVersion");
    expect_rejected("emit", at + "toyVersion");
    name_version_function("toyListen");
    expect_rejected("emit", at + "the loader cannot call toyStatus toyListen(toyBox box, toyListener listener, void* state)");
}

TEST_F(BadSpecsTest, RejectsAMajorWithoutAVersionFunction) {
    expect_library_rejected("[\"libtoy.so.1\"]", "[\"libtoy.so.1\"], \"major\": 3",
                            ": \"loading/major\" is 3, but no function returns the library's version");
}

TEST_F(BadSpecsTest, RejectsAnInvalidOldestRelease) {
    const std::string files = "[\"libtoy.so.1\"]";
    expect_library_rejected(files, files + ", \"oldest\": \"12.4\"",
                            ": \"loading/oldest\" is \"12.4\", but no function returns the library's version");
    expect_library_rejected(files, files + ", \"refused_from\": \"12.4\"",
                            ": \"loading/refused_from\" is \"12.4\", but no function returns the library's version");
    expect_library_rejected(files, files + ", \"oldest\": \"2.19.3\"", ": \"loading/oldest\" is \"2.19.3\"");
    expect_library_rejected(files, files + ", \"oldest\": \"new\"", ": loading/oldest: \"new\"");
}

TEST_F(BadSpecsTest, RejectsAnUnknownKeyOfPackages) {
    for (const char* key : {"thirteen", "13.", ".4", "include_directory"}) {
        expect_library_rejected("\"loading\"", "\"packages\": {\"" + std::string(key) + "\": []}, \"loading\"",
                                ": \"packages\" has the key \"" + std::string(key) + "\"");
    }
    replace(library, "\"loading\"", "\"packages\": {\"12.4\": [\"toy\"], \"13\": [], \"files\": []}, \"loading\"");
    EXPECT_EQ(run("emit").status, 0);
}

TEST_F(BadSpecsTest, RejectsAFallbackSymbolWithoutAPlaceholder) {
    expect_library_rejected("[\"libtoy.so.1\"]", "[\"libtoy.so.1\"], \"fallback_symbol\": \"__toy_12_0\"",
                            ": \"loading/fallback_symbol\" is \"__toy_12_0\", which has no {symbol}");
}

TEST_F(BadSpecsTest, RejectsAGroupFileThatIsAlreadyUsed) {
    replace(library, "\"TOY_DATA\": \"data\"", "\"TOY_DATA\": \"types\"");
    expect_rejected("emit", "project/api-specs/toy/library.json: groups");
    expect_rejected("emit", "include/cubind/toy/types.hpp");
}

TEST_F(BadSpecsTest, RejectsAnInvalidGroupFileName) {
    for (const char* name : {"", "../box", "a b"}) {
        expect_library_rejected("\"TOY_DATA\": \"data\"", "\"TOY_DATA\": \"" + std::string(name) + "\"", "/groups/TOY_DATA: ");
    }
}

TEST_F(BadSpecsTest, AcceptsSeveralGroupsInOneFile) {
    replace(library, "\"TOY_DATA\": \"data\"", "\"TOY_DATA\": \"box\"");
    const Outcome emitted = run("emit");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
    expect_contains(read("generated/toy/include/cubind/toy/box.hpp"), "toyRead(");
}

TEST_F(BadSpecsTest, RejectsAnUnknownOrMissingKeyOfApiJson) {
    expect_facts_rejected("\"returns\"", "\"return\": \"x\", \"returns\"",
                          "/functions/0 (toyClose): the key \"return\" is unknown");
    expect_facts_rejected("\"returns\": \"toyStatus\",", "", "/functions/0 (toyClose): the key \"returns\" is missing");
    expect_facts_rejected("\"schema\": 2", "\"schema\": 99", ": the schema is 99");
}

TEST_F(BadSpecsTest, RejectsApiJsonOfAnotherLibrary) {
    expect_facts_rejected("\"library\": \"toy\"", "\"library\": \"top\"", ": the file holds the facts of top instead of toy");
}

TEST_F(BadSpecsTest, RejectsAnUndefinedType) {
    expect_facts_rejected("\"type\": \"toyBox\"", "\"type\": \"toyBocks\"", ": functions/toyClose uses the type toyBocks");
    expect_facts_rejected("\"type\": \"int\", \"offset\": 0", "\"type\": \"toyInt\", \"offset\": 0",
                          ": records/toySize_st.width uses");
    expect_facts_rejected("\"type\": \"toyBox\"", "\"type\": \"toyBox &\"",
                          ": functions/toyClose: the type \"toyBox &\" cannot be parsed");
}

TEST_F(BadSpecsTest, RejectsAPublicNameWithoutAFunction) {
    expect_facts_rejected("\"public_names\": {}",
                          "\"public_names\": {\"toyShut\": [{\"since\": \"13.4\", \"symbol\": \"toyShut_v2\"}]}",
                          ": public_names/toyShut: the symbol toyShut_v2 is not among the functions");
    expect_facts_rejected("\"public_names\": {}", "\"public_names\": {\"toyShut\": []}", ": public_names/toyShut");
}

TEST_F(BadSpecsTest, RejectsApiJsonWithoutReleases) {
    expect_facts_rejected("\"releases\": [\"13.4\"]", "\"releases\": []", ": releases: the list is empty");
}

TEST_F(BadSpecsTest, RejectsAnInvalidRelease) {
    replace(facts, "\"since\": \"13.4\"", "\"since\": \"soon\"");
    expect_specs_rejected("\"soon\" is not a release");
    expect_specs_rejected("project/api-specs/toy/api.json");
}

TEST_F(BadSpecsTest, RejectsAReservedParameterName) {
    expect_facts_rejected("\"name\": \"box\"", "\"name\": \"result_\"", ": functions/toyClose has a parameter result_");
}

}  // namespace
}  // namespace cubind::testing
