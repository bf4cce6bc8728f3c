// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

#include <nlohmann/json.hpp>

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

class Emit : public GeneratorTest {
protected:
    /// Expects `emit --check` to fail with just this line about just this file, and to change nothing.
    void expect_difference(const std::string& line) const {
        const auto before = files();
        const Outcome check = run("emit --check");
        EXPECT_EQ(check.status, 1);
        EXPECT_EQ(check.out, "");
        expect_contains(check.error, "project/generated/toy/" + line + "\n1 of 19 generated files differ");
        expect_contains(check.error, "`cubind-gen emit`");
        EXPECT_EQ(files(), before);
    }

    static constexpr const char* box = "generated/toy/include/cubind/toy/box.hpp";
};

TEST_F(Emit, writes_the_files_of_the_library) {
    const Outcome emitted = run("emit");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
    expect_contains(emitted.out, "project/generated: 19 files, 19 changed");
    for (const char* file :
         {"sources.cmake", "include/cubind/toy.hpp", "include/cubind/toy/box.hpp", "include/cubind/toy/constants.hpp",
          "include/cubind/toy/data.hpp", "include/cubind/toy/loading.hpp", "include/cubind/toy/strings.hpp",
          "include/cubind/toy/types.hpp", "include/cubind/toy/vendor.hpp", "include/cubind/toy/vendor_layout.hpp", "src/box.cpp",
          "src/data.cpp", "src/entry_points.cpp", "src/entry_points.hpp", "src/loading.cpp", "src/strings.cpp"}) {
        EXPECT_TRUE(fs::exists(below("generated/toy") / file)) << file;
    }
}

TEST_F(Emit, gives_the_same_bytes_each_time) {
    emit();
    const auto first = files();
    const Outcome again = run("emit");
    expect_contains(again.out, "19 files, 0 changed");
    EXPECT_EQ(files(), first);
    fs::remove_all(below("generated"));
    emit();
    EXPECT_EQ(files(), first);
}

TEST_F(Emit, writes_no_path_of_this_machine) {
    emit();
    const std::string folder = below("").parent_path().parent_path().string();
    for (const auto& [file, text] : files()) {
        EXPECT_EQ(text.find(folder), std::string::npos) << file;
    }
}

TEST_F(Emit, hands_the_life_of_a_function_to_its_entry_point) {
    const std::string name = "\"name\": \"toyRead\",";
    replace(facts, "[\"13.4\"]", "[\"13.4\", \"13.9\"]");
    replace(facts, name, name + " \"removed\": \"13.9\",");
    emit();
    const std::string entries = read("generated/toy/src/entry_points.cpp");
    expect_contains(entries, "toyRead{.symbol = \"toyRead\", .since = \"13.4\", .removed = \"13.9\", .library = &this_library};");
    expect_contains(entries, "toyWrite{.symbol = \"toyWrite\", .since = \"13.4\", .library = &this_library};");
}

TEST_F(Emit, writes_what_a_simulation_is_built_on_where_the_library_asks_for_it) {
    replace("api-specs/toy/library.json", "\"library\": \"toy\",", "\"library\": \"toy\", \"simulated\": true,");
    const Outcome emitted = run("emit");
    expect_contains(emitted.out, "project/generated: 21 files, 21 changed");
    expect_contains(read("generated/toy/simulation/behaviours.hpp"), "sim_toyRead(");
    expect_contains(read("generated/toy/simulation/symbols.cpp"), "{\"toyRead\", address(CUBIND_SIM_SYMBOL(toyRead)), 13040,");
}

TEST_F(Emit, takes_only_the_libraries_named) {
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

TEST_F(Emit, check_is_content_with_what_emit_wrote) {
    emit();
    const auto before = files();
    const Outcome check = run("emit --check");
    EXPECT_EQ(check.status, 0);
    EXPECT_EQ(check.error, "");
    expect_contains(check.out, "all 19 files are as emit writes them");
    EXPECT_EQ(files(), before);
}

TEST_F(Emit, check_names_a_file_that_was_edited) {
    emit();
    replace(box, "toyOpen", "toyOpne");
    expect_difference("include/cubind/toy/box.hpp was edited by hand");
}

TEST_F(Emit, check_names_a_missing_file) {
    emit();
    fs::remove(below(box));
    expect_difference("include/cubind/toy/box.hpp is missing");
}

TEST_F(Emit, check_names_a_file_that_nothing_writes) {
    emit();
    fs::copy(below(box), below("generated/toy/include/cubind/toy/old.hpp"));
    expect_difference("include/cubind/toy/old.hpp is left over: no template writes it");
    emit();
    EXPECT_EQ(run("emit --check").status, 0) << "emit removes it";
}

TEST_F(Emit, check_names_a_file_that_is_stale) {
    emit();
    replace(overrides, "The toy works.", "The toy works well.");
    expect_difference("src/strings.cpp is stale: specs or templates have changed since");
    emit();
    EXPECT_EQ(run("emit --check").status, 0);
}

TEST_F(Emit, check_names_every_file_when_none_is_there) {
    const Outcome check = run("emit --check");
    EXPECT_EQ(check.status, 1);
    expect_contains(check.error, "19 of 19 generated files differ");
    EXPECT_FALSE(fs::exists(below("generated")));
}

TEST_F(Emit, names_an_output_folder_that_is_a_file) {
    write("generated", "in the way\n");
    expect_refused("emit", "project/generated/toy/");
    expect_refused("emit", "its folder cannot be created (Not a directory)");
    expect_refused("emit", "--output");
}

TEST_F(Emit, names_an_output_folder_that_nobody_can_write_to) {
    if (!fs::exists("/proc/self")) GTEST_SKIP() << "needs a folder in which nobody can make files, such as /proc";
    expect_refused("emit --output /proc/cubind", "/proc/cubind/toy/");
}

TEST_F(Emit, leaves_no_part_of_a_file_that_it_cannot_replace) {
    emit();
    fs::remove(below(box));
    fs::create_directories(below(std::string(box) + "/in the way"));
    replace(overrides, "The toy works.", "The toy works well.");
    expect_refused("emit", "project/generated/toy/include/cubind/toy/box.hpp: cannot be replaced");
}

TEST_F(Emit, the_model_is_json_for_other_tools) {
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

TEST_F(Emit, the_report_counts) {
    const Outcome report = run("report");
    EXPECT_EQ(report.status, 0) << report.error;
    const std::string row = report.out.substr(report.out.find("\ntoy") + 1);
    std::string joined;
    for (const char c : row) {
        if (c != ' ' || joined.back() != ' ') joined += c;
    }
    EXPECT_EQ(joined, "toy 13.4 6 6 100 % 5 1 6 0\n");
}

}  // namespace
}  // namespace cubind::testing
