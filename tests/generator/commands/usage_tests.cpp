// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

class Usage : public GeneratorTest {
protected:
    void expect_wrong_usage(const std::string& arguments, const std::string& part) const {
        SCOPED_TRACE(arguments);
        const Outcome wrong = run_bare(arguments);
        EXPECT_EQ(wrong.status, 2);
        EXPECT_EQ(wrong.out, "");
        expect_contains(wrong.error, part);
        expect_contains(wrong.error, "--help");
    }
    void expect_help(const std::string& arguments, const std::vector<std::string>& parts) const {
        SCOPED_TRACE(arguments);
        const Outcome help = run_bare(arguments);
        EXPECT_EQ(help.status, 0);
        EXPECT_EQ(help.error, "");
        for (const auto& part : parts) expect_contains(help.out, part);
    }
};

TEST_F(Usage, wrong_usage_is_status_2) {
    expect_wrong_usage("", "required");
    expect_wrong_usage("explode", "explode");
    expect_wrong_usage("emit --chekc", "--chekc");
    expect_wrong_usage("extract toy", "--include");
    expect_wrong_usage("extract --include project/include", "LIBRARY");
    expect_wrong_usage("model", "LIBRARY");
    expect_wrong_usage("model toy toy", "toy");
    expect_wrong_usage("emit --output", "--output");
}

TEST_F(Usage, help_says_what_the_program_is_for_and_what_comes_after_what) {
    expect_help("--help", {"headers", "JSON specs", "C++", "--root", "api-specs", "templates", "generated", "extract", "emit",
                           "model", "report", "Exit status", "A new release: cubind-gen update"});
}

TEST_F(Usage, help_of_a_verb_says_what_it_reads_and_writes) {
    expect_help("extract --help", {"LIBRARY", "--include", "headers of one release", "api.json", "Example: cubind-gen extract"});
    expect_help("emit --help", {"LIBRARY", "all", "--check", "change nothing", "generated/"});
    expect_help("model --help", {"LIBRARY", "JSON", "decided"});
    expect_help("report --help", {"undecided", "bound"});
}

TEST_F(Usage, the_version_names_libclangs) {
    const Outcome version = run_bare("--version");
    EXPECT_EQ(version.status, 0);
    expect_contains(version.out, "cubind-gen");
    expect_contains(version.out, "clang version");
}

TEST_F(Usage, folders_may_be_named_one_by_one) {
    const Outcome named = run_bare("emit --specs project/api-specs --templates project/templates --output elsewhere");
    EXPECT_EQ(named.status, 0) << named.error;
    expect_contains(named.out, "elsewhere: ");
    EXPECT_TRUE(files().contains("elsewhere/toy/include/cubind/toy.hpp"));
}

TEST_F(Usage, a_root_without_specs_is_named) {
    const Outcome lost = run_bare("report");
    EXPECT_EQ(lost.status, 1);
    expect_contains(lost.error, "api-specs: is not a folder");
    expect_contains(lost.error, "--root");
}

TEST_F(Usage, an_unknown_library_is_named_beside_the_known_ones) {
    for (const char* verb :
         {"extract ghost --include project/include", "emit ghost", "emit toy ghost", "emit --check ghost", "model ghost"}) {
        expect_refused(verb, "has no library \"ghost\"; it has toy");
        expect_refused(verb, "library.json");
    }
}

}  // namespace
}  // namespace cubind::testing
