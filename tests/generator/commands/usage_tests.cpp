// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

class UsageTest : public GeneratorTest {
protected:
    void expect_wrong_usage(const std::string& arguments, const std::string& part) const {
        SCOPED_TRACE(arguments);
        const Outcome wrong = run_without_root(arguments);
        EXPECT_EQ(wrong.status, 2);
        EXPECT_EQ(wrong.out, "");
        expect_contains(wrong.error, part);
        expect_contains(wrong.error, "--help");
    }
    void expect_help(const std::string& arguments, const std::vector<std::string>& parts) const {
        SCOPED_TRACE(arguments);
        const Outcome help = run_without_root(arguments);
        EXPECT_EQ(help.status, 0);
        EXPECT_EQ(help.error, "");
        for (const auto& part : parts) expect_contains(help.out, part);
    }
};

TEST_F(UsageTest, ExitsWithStatus2ForAWrongCommandLine) {
    expect_wrong_usage("", "required");
    expect_wrong_usage("explode", "explode");
    expect_wrong_usage("emit --chekc", "--chekc");
    expect_wrong_usage("extract toy", "--include");
    expect_wrong_usage("extract --include project/include", "LIBRARY");
    expect_wrong_usage("model", "LIBRARY");
    expect_wrong_usage("model toy toy", "toy");
    expect_wrong_usage("emit --output", "--output");
}

TEST_F(UsageTest, HelpDescribesTheProgram) {
    expect_help("--help", {"headers", "JSON specs", "C++", "--root", "api-specs", "templates", "generated", "extract", "emit",
                           "model", "report", "Exit status", "cubind-gen update --include"});
}

TEST_F(UsageTest, HelpDescribesEachCommand) {
    expect_help("extract --help", {"LIBRARY", "--include", "headers of one release", "api.json", "Example: cubind-gen extract"});
    expect_help("emit --help", {"LIBRARY", "all", "--check", "write nothing", "generated/"});
    expect_help("kernels --help",
                {"FILE", "--output", "--include", "--toolkit", "--option", "--instantiate", "--code", "--depfile"});
    expect_help("model --help", {"LIBRARY", "JSON", "model"});
    expect_help("report --help", {"open question", "bound"});
}

TEST_F(UsageTest, VersionNamesLibclang) {
    const Outcome version = run_without_root("--version");
    EXPECT_EQ(version.status, 0);
    expect_contains(version.out, "cubind-gen");
    expect_contains(version.out, "clang version");
}

TEST_F(UsageTest, AcceptsSeparateFolders) {
    const Outcome named = run_without_root("emit --specs project/api-specs --templates project/templates --output elsewhere");
    EXPECT_EQ(named.status, 0) << named.error;
    expect_contains(named.out, "elsewhere: ");
    EXPECT_TRUE(files().contains("elsewhere/toy/include/cubind/toy.hpp"));
}

TEST_F(UsageTest, ReportsARootWithoutSpecs) {
    const Outcome lost = run_without_root("--root nowhere report");
    EXPECT_EQ(lost.status, 1);
    expect_contains(lost.error, "api-specs is not a folder");
    expect_contains(lost.error, "--root");
}

TEST_F(UsageTest, ReadsTheInstalledSpecsOutsideOfARepository) {
    namespace fs = std::filesystem;
    fs::create_directories(below("installed/bin"));
    fs::copy_file(CUBIND_GEN, below("installed/bin/cubind-gen"));
    const auto run_installed = [&](const std::string& arguments) {
        return run_program("project/installed/bin/cubind-gen", arguments);
    };
    const std::string share = "project/installed/share/cubind";
    for (const auto& [arguments, folder] : {std::pair{"report", "/api-specs"}, {"kernels a.cu --output b", "/templates"}}) {
        const Outcome lost = run_installed(arguments);
        EXPECT_EQ(lost.status, 1);
        expect_contains(lost.error, share + folder);
        expect_contains(lost.error, "cubind-tools");
    }

    fs::create_directories(below("installed/share/cubind"));
    for (const char* folder : {"api-specs", "templates"})
        fs::copy(below(folder), below("installed/share/cubind/") / folder, fs::copy_options::recursive);
    const Outcome model = run_installed("model toy");
    EXPECT_EQ(model.status, 0) << model.error;
    expect_contains(model.out, "\"toy\"");
    const Outcome emitted = run_installed("emit --output elsewhere");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
    EXPECT_TRUE(files().contains("elsewhere/toy/include/cubind/toy.hpp"));
    for (const auto& [arguments, part] : {std::pair{"emit", "--output"},
                                          {"pages", "--docs"},
                                          {"extract toy --include .", "are not changed"},
                                          {"update --include . --output elsewhere", "are not changed"}}) {
        const Outcome wrong = run_installed(arguments);
        EXPECT_EQ(wrong.status, 2);
        expect_contains(wrong.error, part);
    }
}

TEST_F(UsageTest, ReportsAnUnknownLibraryAndTheKnownOnes) {
    for (const char* verb :
         {"extract ghost --include project/include", "emit ghost", "emit toy ghost", "emit --check ghost", "model ghost"}) {
        expect_rejected(verb, "there is no library \"ghost\". The libraries are toy");
        expect_rejected(verb, "library.json");
    }
}

}  // namespace
}  // namespace cubind::testing
