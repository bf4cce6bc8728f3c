// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

class NewMajor : public UpdateTest {
protected:
    static constexpr const char* box = "generated/toy/include/cubind/toy/box.hpp";
    static constexpr const char* check = "toy: CUDA 14 is a new major; check by hand:\n";

    void set_loading(const std::string& text) const { replace(library, "\"file_names\": [\"libtoy.so.1\"]", text); }
    /// Binds the library to major 13, with the function that tells it.
    void bind_to_13() const {
        replace(header, "toyStatus toyClose(toyBox box);\n",
                "toyStatus toyClose(toyBox box);\ntoyStatus toyVersion(int *version);\n");
        replace(overrides, "\"functions\": {", "\"functions\": {\n    \"toyVersion\": {\"version\": \"out value\"},");
        set_loading("\"file_names\": [\"libtoy.so.13\"], \"version_function\": \"toyVersion\", \"major\": 13");
        expect_updated();
    }
};

TEST_F(NewMajor, works_and_says_what_to_check) {
    set_loading("\"file_names\": [\"libtoy.so.13\", \"libtoy.so\"], \"wheel_directories\": [\"toy/cu13/lib\", \"toy/lib\"]");
    change_header("14000", "toyStatus toyFresh(toyBox box);\n");
    const std::string said = expect_updated();
    expect_contains(said, check);
    expect_contains(said, "toy/library.json: loading/file_names: is the library called libtoy.so.14 now? Then put that first\n");
    expect_contains(
        said, "toy/library.json: loading/wheel_directories: do its wheels install into toy/cu14/lib? Then put that first\n");
    expect_lacks(said, "loading/major");
    expect_contains(read(box), "toyFresh(");
}

TEST_F(NewMajor, does_not_ask_for_what_is_there) {
    set_loading(
        "\"file_names\": [\"libtoy.so.14\", \"libtoy.so.13\"], \"wheel_directories\": [\"toy/cu14/lib\", \"toy/cu13/lib\"]");
    change_header("14000", "");
    const std::string said = expect_updated();
    expect_contains(said, check);
    expect_lacks(said, "file_names");
    expect_lacks(said, "wheel_directories");
}

TEST_F(NewMajor, is_none_within_a_major_below_it_or_at_the_start) {
    change_header("13090", "");
    expect_lacks(expect_updated(), "new major");
    replace(header, "13090", "12000");
    expect_lacks(expect_updated(), "new major");
    std::filesystem::remove(below(facts));
    expect_lacks(expect_updated(), "new major");
}

TEST_F(NewMajor, may_be_far_ahead) {
    set_loading("\"file_names\": [\"libtoy.so.13\"]");
    change_header("27030", "");
    const std::string said = expect_updated();
    expect_contains(said, "toy: CUDA 27 is a new major");
    expect_contains(said, "libtoy.so.27");
    expect_contains(read(facts), "\"27.3\"");
}

TEST_F(NewMajor, leaves_a_library_of_one_major_with_its_wrappers) {
    bind_to_13();
    const std::string before = read(box);
    change_header("14000", "toyStatus toyFresh(toyBox box, void *state);\n");
    replace(header, "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBox box, int hard);");
    replace(header, "    int height;\n", "    int height;\n    int depth;\n");
    const std::string said = expect_updated();  // and the undecided pointer of toyFresh is no question
    expect_contains(
        said, "toy/library.json: loading/major is 13, so the wrappers stay those of CUDA 13 and refuse a library of CUDA 14");
    expect_contains(said, "    toyClose: signature toyStatus (toyBox)\n      became toyStatus (toyBox, int)\n");
    EXPECT_EQ(read(box), before);
    expect_lacks(read("generated/toy/include/cubind/toy/types.hpp"), "depth");
    expect_contains(read(facts), "toyFresh");
    expect_contains(read("generated/toy/include/cubind/toy/availability.hpp"), "{\"toyFresh\", 14000, 0}");
}

TEST_F(NewMajor, is_followed_by_raising_the_number) {
    bind_to_13();
    change_header("14000", "toyStatus toyFresh(toyBox box);\n");
    replace(header, "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBox box, int hard);");
    expect_updated();
    replace(library, "\"major\": 13", "\"major\": 14");
    emit();
    expect_contains(read(box), "toyClose(toyBox box, int hard)");
    expect_contains(read(box), "toyFresh(");
}

TEST_F(NewMajor, changes_no_call_of_a_library_that_keeps_its_major) {
    bind_to_13();
    change_header("14000", "#define toyListen toyListen_v2\n");
    expect_lacks(expect_updated(), "programs that are built anew call the new one");
}

}  // namespace
}  // namespace cubind::testing
