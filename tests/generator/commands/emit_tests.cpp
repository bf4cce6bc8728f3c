// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

class EmitTest : public GeneratorTest {
protected:
    /// Expects `emit --check` to fail, to report only this file with a text that has `reason`, and to change nothing.
    void expect_difference(const std::string& file, const std::string& reason) const {
        const auto before = files();
        const Outcome check = run("emit --check");
        EXPECT_EQ(check.status, 1);
        EXPECT_EQ(check.out, "");
        EXPECT_TRUE(check.error.starts_with("project/generated/toy/" + file + " ")) << check.error;
        expect_contains(check.error, reason);
        expect_contains(check.error, "\n1 of 21 generated files differ");
        expect_contains(check.error, "`cubind-gen emit`");
        EXPECT_EQ(files(), before);
    }

    static constexpr const char* box = "generated/toy/include/cubind/toy/box.hpp";
};

TEST_F(EmitTest, WritesTheFilesOfTheLibrary) {
    const Outcome emitted = run("emit");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
    expect_contains(emitted.out, "project/generated: 21 files, 21 changed");
    for (const char* file :
         {"sources.cmake", "include/cubind/toy.hpp", "include/cubind/toy/box.hpp", "include/cubind/toy/constants.hpp",
          "include/cubind/toy/data.hpp", "include/cubind/toy/loading.hpp", "include/cubind/toy/status.hpp",
          "include/cubind/toy/strings.hpp", "include/cubind/toy/types.hpp", "include/cubind/toy/vendor.hpp",
          "include/cubind/toy/vendor_layout.hpp", "src/box.cpp", "src/data.cpp", "src/entry_points.cpp", "src/entry_points.hpp",
          "src/loading.cpp", "src/strings.cpp"}) {
        EXPECT_TRUE(fs::exists(below("generated/toy") / file)) << file;
    }
}

TEST_F(EmitTest, WritesTheSameBytesEachTime) {
    emit();
    const auto first = files();
    const Outcome again = run("emit");
    expect_contains(again.out, "21 files, 0 changed");
    EXPECT_EQ(files(), first);
    fs::remove_all(below("generated"));
    emit();
    EXPECT_EQ(files(), first);
}

TEST_F(EmitTest, WritesNoAbsolutePath) {
    emit();
    const std::string folder = below("").parent_path().parent_path().string();
    for (const auto& [file, text] : files()) {
        EXPECT_EQ(text.find(folder), std::string::npos) << file;
    }
}

TEST_F(EmitTest, WritesTheLifetimeOfAFunctionToItsEntryPoint) {
    const std::string name = "\"name\": \"toyRead\",";
    replace(facts, "[\"13.4\"]", "[\"13.4\", \"13.9\"]");
    replace(facts, name, name + " \"removed\": \"13.9\",");
    emit();
    const std::string entries = read("generated/toy/src/entry_points.cpp");
    expect_contains(entries, "toyRead{.symbol = \"toyRead\", .since = \"13.4\", .removed = \"13.9\", .library = &this_library};");
    expect_contains(entries, "toyWrite{.symbol = \"toyWrite\", .since = \"13.4\", .library = &this_library};");
}

TEST_F(EmitTest, WritesTheFilesOfASimulatedLibrary) {
    replace("api-specs/toy/library.json", "\"library\": \"toy\",",
            "\"library\": \"toy\", \"simulated\": {\"namespace\": \"sim\", \"header\": \"toy.hpp\"},");
    const Outcome emitted = run("emit");
    expect_contains(emitted.out, "project/generated: 24 files, 24 changed");
    expect_contains(read("generated/toy/simulation/functions.hpp"), "sim_toyRead(");
    expect_contains(read("generated/toy/simulation/toy_exports.hpp"), " toyRead(");
    expect_contains(read("generated/toy/simulation/symbols.cpp"), "#include \"toy.hpp\"");
    expect_contains(read("generated/toy/simulation/symbols.cpp"), "{\"toyRead\", address(CUBIND_SIM_SYMBOL(toyRead)), 13040,");
}

TEST_F(EmitTest, WritesOnlyTheNamedLibraries) {
    fs::copy(below("api-specs/toy"), below("api-specs/top"));
    for (const char* file : {"library.json", "api.json"}) {
        replace(std::string("api-specs/top/") + file, "\"library\": \"toy\"", "\"library\": \"top\"");
    }
    const Outcome one = run("emit top");
    EXPECT_EQ(one.status, 0) << one.error;
    EXPECT_TRUE(fs::exists(below("generated/top/sources.cmake")));
    EXPECT_FALSE(fs::exists(below("generated/toy")));
    EXPECT_EQ(run("emit --check top").status, 0);
    EXPECT_EQ(run("emit --check").status, 1);
}

TEST_F(EmitTest, CheckAcceptsTheOutputOfEmit) {
    emit();
    const auto before = files();
    const Outcome check = run("emit --check");
    EXPECT_EQ(check.status, 0);
    EXPECT_EQ(check.error, "");
    expect_contains(check.out, "all 21 files match");
    EXPECT_EQ(files(), before);
}

TEST_F(EmitTest, CheckReportsAnEditedFile) {
    emit();
    replace(box, "toyOpen", "toyOpne");
    expect_difference("include/cubind/toy/box.hpp", "edited");
}

TEST_F(EmitTest, CheckReportsAMissingFile) {
    emit();
    fs::remove(below(box));
    expect_difference("include/cubind/toy/box.hpp", "missing");
}

TEST_F(EmitTest, CheckReportsALeftoverFile) {
    emit();
    fs::copy(below(box), below("generated/toy/include/cubind/toy/old.hpp"));
    expect_difference("include/cubind/toy/old.hpp", "left over");
    emit();
    EXPECT_EQ(run("emit --check").status, 0) << "emit removes it";
}

TEST_F(EmitTest, CheckReportsAStaleFile) {
    emit();
    replace(overrides, "The toy works.", "The toy works well.");
    expect_difference("src/strings.cpp", "stale");
    emit();
    EXPECT_EQ(run("emit --check").status, 0);
}

TEST_F(EmitTest, CheckReportsEveryFileIfNoneExists) {
    const Outcome check = run("emit --check");
    EXPECT_EQ(check.status, 1);
    expect_contains(check.error, "21 of 21 generated files differ");
    EXPECT_FALSE(fs::exists(below("generated")));
}

TEST_F(EmitTest, ReportsAnOutputFolderThatIsAFile) {
    write("generated", "in the way\n");
    expect_rejected("emit", "project/generated/toy/");
    expect_rejected("emit", "Not a directory");
    expect_rejected("emit", "--output");
}

TEST_F(EmitTest, ReportsAnOutputFolderThatIsNotWritable) {
    if (!fs::exists("/proc/self")) GTEST_SKIP() << "this test requires a folder that is not writable, such as /proc";
    expect_rejected("emit --output /proc/cubind", "/proc/cubind/toy/");
}

TEST_F(EmitTest, ChangesNothingIfAFileCannotBeReplaced) {
    emit();
    fs::remove(below(box));
    fs::create_directories(below(std::string(box) + "/in the way"));
    replace(overrides, "The toy works.", "The toy works well.");
    expect_rejected("emit", "project/generated/toy/include/cubind/toy/box.hpp");
    expect_rejected("emit", "cannot be replaced");
}

TEST_F(EmitTest, ModelPrintsJson) {
    const Outcome printed = run("model toy");
    ASSERT_EQ(printed.status, 0) << printed.error;
    const auto model = nlohmann::json::parse(printed.out);
    ASSERT_EQ(model["functions"].size(), 6U);
    const auto& open = model["functions"][2];
    EXPECT_EQ(open["symbol"], "toyOpen");
    EXPECT_EQ(open["name"], "toyOpen");
    EXPECT_EQ(open["signature"], "Result<toyStatus, toyBox> toyOpen(const toySize* size) noexcept");
    EXPECT_EQ(open["group"], "TOY_BOX");
    EXPECT_EQ(open["since"], "13.4");
    const auto& data = model["functions"][3]["parameters"][1];
    EXPECT_EQ(data["name"], "data");
    EXPECT_EQ(data["type"], "void*");
    EXPECT_EQ(data["direction"], "out");
    EXPECT_EQ(data["shape"], "buffer");
    EXPECT_EQ(data["length"], "bytes");
    EXPECT_EQ(data["optional"], false);
}

TEST_F(EmitTest, ReportPrintsCounts) {
    const Outcome report = run("report");
    EXPECT_EQ(report.status, 0) << report.error;
    const std::string row = report.out.substr(report.out.find("\ntoy") + 1);
    std::string squeezed;
    for (const char c : row) {
        if (c != ' ' || squeezed.back() != ' ') squeezed += c;
    }
    EXPECT_EQ(squeezed, "toy 13.4 6 6 100 % 5 1 6 0\n");
}

}  // namespace
}  // namespace cubind::testing
