// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"
#include "support/compiles.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

const fs::path loader_headers = fs::path(CUBIND_REPOSITORY) / "runtime/loader/include";

/// Generated headers beside the headers that they were generated from.
class VendorHeadersTest : public GeneratorTest {
protected:
    std::string errors_of(const std::string& source) const {
        return compile_errors(source, {below("generated/toy/include"), loader_headers}, {below("include")});
    }
};

TEST_F(VendorHeadersTest, CopiesDocumentationThatEndsInBackslashes) {
    replace("include/toy.h", " * \\param[out] box Receives the new box.\n",
            " * The path C:\\\n * A box \\ \\ \n * Two\x01parts.\n");
    const Outcome emitted = run("emit --vendor-docs project/include --output documented");
    ASSERT_EQ(emitted.status, 0) << emitted.error;
    const fs::path folder = below("").parent_path().parent_path() / "documented/toy/include";
    const std::string text = read_file(folder / "cubind/toy/box.hpp");
    expect_contains(text, "/// The path C:\n/// A box\n/// Two parts.\n");
    const std::string use = "#include <cubind/toy.hpp>\nauto* open = cubind::toy::toyOpen;\n";
    EXPECT_EQ(compile_errors(use, {folder, loader_headers}), "");
}

TEST_F(VendorHeadersTest, LeavesOutHeadersThatHaveNoGuardYet) {
    const std::string use = "#include <toy_ids.h>\n#include <cubind/toy/vendor.hpp>\n#include <cubind/toy/vendor_layout.hpp>\n";
    const std::string conversion = "auto id = to_vendor(cubind::toy::TOY_ID_A);\n";
    const std::string ids = "typedef enum { TOY_ID_A = 1 } toyIds;\n";
    write("include/toy_ids.h", ids);
    replace(library, "[\"toy.h\"],", "[\"toy.h\", \"toy_ids.h\"],");
    replace("include/toy.h", "13040", "13030");
    fs::remove(below(facts));
    extract();
    emit();
    EXPECT_NE(errors_of(use), "") << "the header is included twice";
    replace(library, "\"release\"", "\"headers_guarded_since\": {\"toy_ids.h\": \"13.4\"}, \"release\"");
    emit();
    EXPECT_EQ(errors_of(use), "");
    replace("include/toy.h", "13030", "13040");
    write("include/toy_ids.h", "#pragma once\n" + ids);
    EXPECT_EQ(errors_of(use + conversion), "");
}

TEST_F(VendorHeadersTest, RejectsAGuardOfAnUnknownHeader) {
    replace(library, "\"release\"", "\"headers_guarded_since\": {\"box.h\": \"13.4\"}, \"release\"");
    expect_specs_rejected("\"headers_guarded_since\" has box.h, which is not in headers");
}

}  // namespace
}  // namespace cubind::testing
