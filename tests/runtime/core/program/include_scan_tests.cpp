// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/include_scan.hpp"

namespace cubind::testing {
namespace {

using namespace cubind::detail;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Expects that the code includes these names and has no problem. `names` has angle brackets where the code has them.
void expect_names(const std::string& code, const std::vector<std::string>& names) {
    const IncludeScan scan = scan_includes(code);
    std::vector<std::string> found;
    for (const IncludedName& each : scan.names) found.push_back(each.is_quoted ? each.name : "<" + each.name + ">");
    EXPECT_EQ(found, names) << code;
    EXPECT_EQ(scan.macro_problem + scan.time_problem, "") << code;
}

TEST(IncludeScanTest, FindsNamesInIncludeDirectives) {
    expect_names("#include \"a.h\"\n  #  include <b/c.h> // comment\n#include\"d.h\"", {"a.h", "<b/c.h>", "d.h"});
    expect_names("#include \"/absolute/a.h\"\n#include <../../climbing.h>\n", {"/absolute/a.h", "<../../climbing.h>"});
    expect_names("#include_next <a.h>", {"<a.h>"});
    expect_names("/* one\n two */ #/**/include/**/ <a.h>", {"<a.h>"});
    expect_names("%:include <a.h>", {"<a.h>"});
    expect_names("?\?=include <a.h>", {"<a.h>"});
    expect_names("#inc\\\nlude \\\r\n <a\\ \n.h>", {"<a.h>"});
    expect_names("#inc?\?/\nlude <a.h>", {"<a.h>"});
    expect_names("#include <a.h> \\", {"<a.h>"});
}

TEST(IncludeScanTest, FindsNamesInExpressions) {
    expect_names("#if __has_include(\"a.h\") && defined(X) || __has_include( <b.h> )", {"a.h", "<b.h>"});
    expect_names("#elif 1'000 > 2 && '\"' != '\\'' && __has_include(<a.h>) // __has_include(X)", {"<a.h>"});
    expect_names("#define HAS_A __has_include(\"a.h\")", {"a.h"});
    expect_names("#define MY_HAS_INCLUDE(x) __has_include(x)\n#if MY_HAS_INCLUDE(<a.h>)", {"<a.h>"});
    expect_names("#if defined(__has_include) && defined __has_include\n#ifdef __has_include\n#endif", {});
    expect_names("#define __has_include(x) 0\n", {});
}

TEST(IncludeScanTest, IgnoresCodeThatIsNoDirective) {
    expect_names("", {});
    expect_names("#", {});
    expect_names("// use #include directives\nint a = b # c; /* #include X */ const char* s = \"#include X\";", {});
    expect_names("#define STRING(x) #x\n#pragma once\n#error __has_include(X)\n", {});
}

TEST(IncludeScanTest, ReportsNamesThatAreMacros) {
    for (const char* const code :
         {"#include HEADER", "#include HEADER(a.h)", "#include STRING\n(a.h)", "#include \"a.h", "#include <a.h\n>"}) {
        EXPECT_THAT(scan_includes(code).macro_problem, HasSubstr("#include")) << code;
    }
    for (const char* const code : {"#if __has_include(HEADER)", "#define EXISTS(x) __has_include(x)",
                                   "#define EXISTS __has_include", "#if MY_HAS_INCLUDE(HEADER)"}) {
        EXPECT_THAT(scan_includes(code).macro_problem, HasSubstr("__has_include")) << code;
    }
}

TEST(IncludeScanTest, ReportsMacrosWhoseValuesAreTimes) {
    for (const std::string macro : {"__DATE__", "__TIME__", "__TIMESTAMP__"}) {
        EXPECT_THAT(scan_includes("const char* text = " + macro + ";").time_problem, HasSubstr(macro));
    }
    EXPECT_THAT(scan_includes("const char* text = __FILE__;").time_problem, IsEmpty());
}

}  // namespace
}  // namespace cubind::testing
