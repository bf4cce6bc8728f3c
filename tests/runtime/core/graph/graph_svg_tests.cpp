// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "definition_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Draws graphs with stand-ins for the program `dot`, in a folder that is the only one of PATH.
class GraphSvgTest : public DefinitionTest {
protected:
    void SetUp() override {
        DefinitionTest::SetUp();
        std::string name = fs::temp_directory_path() / "graph_svg_XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder = name;
        fs::create_directories(folder / "bin");
        fs::create_directories(folder / "temporary");
        set_path((folder / "bin").string());
        ::setenv("TMPDIR", (folder / "temporary").c_str(), 1);
        drawing = (folder / "graph.svg").string();
    }
    void TearDown() override {
        EXPECT_TRUE(fs::is_empty(folder / "temporary")) << "temporary files remain";
        ::setenv("PATH", old_path.c_str(), 1);
        ::unsetenv("TMPDIR");
        fs::remove_all(folder);
        DefinitionTest::TearDown();
    }

    static void set_path(const std::string& path) { ::setenv("PATH", path.c_str(), 1); }
    /// Writes a program, which may use the tools of the system by their paths.
    void write_program(const std::string& commands, const std::string& name = "bin/dot") {
        std::ofstream(folder / name) << "#!/bin/sh\n" << commands << "\n";
        ASSERT_EQ(::chmod((folder / name).c_str(), 0700), 0);
    }
    static std::string read(const fs::path& file) {
        std::ifstream stream(file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    GraphDefinition definition_of_two_nodes() const {
        GraphDefinition definition(device);
        definition.empty().empty();
        return definition;
    }

    const std::string old_path = std::getenv("PATH");
    fs::path folder;
    std::string drawing;
};

TEST_F(GraphSvgTest, WritesWhatTheProgramDraws) {
    write_program("echo \"<svg>$# $1 $(/bin/cat \"$2\")</svg>\"");
    const GraphDefinition definition = definition_of_two_nodes();
    definition.to_svg(drawing);
    EXPECT_THAT(read(drawing),
                AllOf(HasSubstr("<svg>2 -Tsvg"), HasSubstr("digraph"), HasSubstr("n0 -> n1"), HasSubstr("</svg>")));
    EXPECT_THAT(read(drawing), Not(HasSubstr("0x")));
    GraphBuilder builder(device);
    EXPECT_THROW(builder.to_svg(drawing), std::invalid_argument) << "nothing was captured";
    builder.begin_building();
    fill(builder, data, 1);
    builder.end_building();
    builder.to_svg(drawing, {.handles = true});
    EXPECT_THAT(read(drawing), AllOf(HasSubstr("fill"), HasSubstr("0x")));
}

TEST_F(GraphSvgTest, PassesPathsAsTheyAre) {
    write_program("echo '<svg></svg>'");
    const std::string odd = (folder / "a $(touch b); 'c' \"d\".svg").string();
    definition_of_two_nodes().to_svg(odd);
    EXPECT_EQ(read(odd), "<svg></svg>\n");
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition_of_two_nodes().to_svg(std::string("a\0b", 3)); }),
                HasSubstr("to_svg"));
}

TEST_F(GraphSvgTest, SearchesOnlyAbsoluteFolders) {
    write_program("echo '<svg></svg>'");
    const auto missing = [&] { return message_of<std::runtime_error>([&] { definition_of_two_nodes().to_svg(drawing); }); };
    const fs::path before = fs::current_path();
    fs::current_path(folder);
    set_path(":bin:.:" + (folder / "nowhere").string());
    EXPECT_THAT(missing(), AllOf(HasSubstr("\"dot\""), HasSubstr("install Graphviz"), HasSubstr("debug_dot_print()")));
    fs::current_path(before);
    ::unsetenv("PATH");
    EXPECT_THAT(missing(), HasSubstr("install Graphviz"));
    fs::create_directories(folder / "first/dot");
    set_path((folder / "first").string() + ":" + (folder / "bin").string());
    definition_of_two_nodes().to_svg(drawing);  // passes over a folder with this name
    ASSERT_EQ(::chmod((folder / "bin/dot").c_str(), 0600), 0);
    EXPECT_THAT(missing(), HasSubstr("install Graphviz")) << "the file is not executable";
}

TEST_F(GraphSvgTest, ReportsAProgramThatFails) {
    std::ofstream(drawing) << "previous";
    const auto failure = [&](const std::string& commands) {
        write_program(commands);
        return message_of<std::runtime_error>([&] { definition_of_two_nodes().to_svg(drawing); });
    };
    EXPECT_THAT(failure("echo '<svg></svg>'; echo 'no such font' >&2; exit 3"),
                AllOf(HasSubstr("status 3"), HasSubstr("no such font"), HasSubstr(drawing), HasSubstr("bin/dot")));
    EXPECT_THAT(failure("kill -9 $$"), HasSubstr("signal 9"));
    EXPECT_THAT(failure("echo '<svg>'"), HasSubstr("no complete drawing"));
    write_program("", "bin/dot");
    std::ofstream(folder / "bin/dot") << "#!/nonexistent/shell\n";
    EXPECT_THAT(message_of<std::system_error>([&] { definition_of_two_nodes().to_svg(drawing); }), HasSubstr("cannot start"));
    EXPECT_EQ(read(drawing), "previous") << "the file is unchanged";
}

TEST_F(GraphSvgTest, ReportsFilesThatCannotBeWritten) {
    write_program("echo '<svg></svg>'");
    EXPECT_THAT(message_of<std::system_error>([&] { definition_of_two_nodes().to_svg("/nonexistent/folder/graph.svg"); }),
                HasSubstr("to_svg cannot write \"/nonexistent/folder/graph.svg\""));
    ::setenv("TMPDIR", "/nonexistent/folder", 1);
    EXPECT_THAT(message_of<std::system_error>([&] { definition_of_two_nodes().to_svg(drawing); }),
                HasSubstr("/nonexistent/folder/cubind-"));
    EXPECT_FALSE(fs::exists(drawing));
}

TEST_F(GraphSvgTest, DrawsWithGraphviz) {
    set_path(old_path);
    if (std::system("dot -V > /dev/null 2>&1") != 0) GTEST_SKIP() << "Graphviz is not installed";
    definition_of_two_nodes().to_svg(drawing);
    EXPECT_THAT(read(drawing), AllOf(HasSubstr("<svg"), HasSubstr("empty"), HasSubstr("</svg>")));
}

}  // namespace
}  // namespace cubind::testing
