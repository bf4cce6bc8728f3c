// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

class NewMajorTest : public UpdateTest {
protected:
    static constexpr const char* box = "generated/toy/include/cubind/toy/box.hpp";
    static constexpr const char* check = "toy: CUDA 14 is a new major.";

    void set_loading(const std::string& text) const { replace(library, "\"file_names\": [\"libtoy.so.1\"]", text); }
    /// Binds the library to major 13 and adds its version function.
    void bind_to_13() const {
        replace(header, "toyStatus toyClose(toyBox box);\n",
                "toyStatus toyClose(toyBox box);\ntoyStatus toyVersion(int *version);\n");
        replace(overrides, "\"functions\": {", "\"functions\": {\n    \"toyVersion\": {\"version\": \"out value\"},");
        set_loading("\"file_names\": [\"libtoy.so.13\"], \"version_function\": \"toyVersion\", \"major\": 13");
        expect_updated();
    }
};

TEST_F(NewMajorTest, UpdatesAndPrintsWhatToCheck) {
    set_loading("\"file_names\": [\"libtoy.so.13\", \"libtoy.so\"], \"wheel_directories\": [\"toy/cu13/lib\", \"toy/lib\"]");
    change_header("14000", "toyStatus toyFresh(toyBox box);\n");
    const std::string output = expect_updated();
    expect_contains(output, check);
    expect_contains(output, "toy/library.json: loading/file_names: if the library is now called libtoy.so.14");
    expect_contains(output, "toy/library.json: loading/wheel_directories: if its wheels install into toy/cu14/lib");
    expect_not_contains(output, "loading/major");
    expect_contains(read(box), "toyFresh(");
}

TEST_F(NewMajorTest, OmitsFileNamesThatAreListed) {
    set_loading(
        "\"file_names\": [\"libtoy.so.14\", \"libtoy.so.13\"], \"wheel_directories\": [\"toy/cu14/lib\", \"toy/cu13/lib\"]");
    change_header("14000", "");
    const std::string output = expect_updated();
    expect_contains(output, check);
    expect_not_contains(output, "file_names");
    expect_not_contains(output, "wheel_directories");
}

TEST_F(NewMajorTest, IsNotReportedForAKnownOlderOrFirstMajor) {
    change_header("13090", "");
    expect_not_contains(expect_updated(), "new major");
    replace(header, "13090", "12000");
    expect_not_contains(expect_updated(), "new major");
    std::filesystem::remove(below(facts));
    expect_not_contains(expect_updated(), "new major");
}

TEST_F(NewMajorTest, MaySkipMajors) {
    set_loading("\"file_names\": [\"libtoy.so.13\"]");
    change_header("27030", "");
    const std::string output = expect_updated();
    expect_contains(output, "toy: CUDA 27 is a new major");
    expect_contains(output, "libtoy.so.27");
    expect_contains(read(facts), "\"27.3\"");
}

TEST_F(NewMajorTest, LeavesTheWrappersOfABoundMajorUnchanged) {
    bind_to_13();
    const std::string before = read(box);
    change_header("14000", "toyStatus toyFresh(toyBox box, void *state);\n");
    replace(header, "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBox box, int hard);");
    replace(header, "    int height;\n", "    int height;\n    int depth;\n");
    const std::string output = expect_updated();  // the undecided pointer of toyFresh is not a question
    expect_contains(output,
                    "toy/library.json: loading/major is 13, so the wrappers still bind CUDA 13 and reject a library of CUDA 14");
    expect_contains(output, "    toyClose: signature toyStatus (toyBox)\n      became toyStatus (toyBox, int)\n");
    EXPECT_EQ(read(box), before);
    expect_not_contains(read("generated/toy/include/cubind/toy/types.hpp"), "depth");
    expect_contains(read(facts), "toyFresh");
    expect_contains(read("generated/toy/include/cubind/toy/availability.hpp"), "{\"toyFresh\", 14000, 0}");
}

TEST_F(NewMajorTest, IsBoundAfterRaisingTheMajor) {
    bind_to_13();
    change_header("14000", "toyStatus toyFresh(toyBox box);\n");
    replace(header, "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBox box, int hard);");
    expect_updated();
    replace(library, "\"major\": 13", "\"major\": 14");
    emit();
    expect_contains(read(box), "toyClose(toyBox box, int hard)");
    expect_contains(read(box), "toyFresh(");
}

TEST_F(NewMajorTest, ReportsNoChangedNameForABoundMajor) {
    bind_to_13();
    change_header("14000", "#define toyListen toyListen_v2\n");
    expect_not_contains(expect_updated(), "recompiled programs call");
}

}  // namespace
}  // namespace cubind::testing
