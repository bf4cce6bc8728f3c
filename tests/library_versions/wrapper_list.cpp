// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "wrapper_list.hpp"

#include <cubind/failure.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdlib.h>

namespace cubind::testing {

using ::testing::HasSubstr;

std::string_view tested_release() {
    const char* const release = getenv("CUBIND_TEST_RELEASE");
    return release != nullptr ? release : "";
}

int release_number(std::string_view release) {
    int major = 0;
    int minor = 0;
    int patch = 0;
    switch (std::sscanf(std::string(release).c_str(), "%d.%d.%d", &major, &minor, &patch)) {
        case 2:
            return 1000 * major + 10 * minor;
        case 3:
            return 1000000 * major + 1000 * minor + patch;
        default:
            return 0;
    }
}

std::vector<TestedLibrary>& tested_libraries() {
    static std::vector<TestedLibrary> libraries;
    return libraries;
}

bool add(const TestedLibrary& library) {
    tested_libraries().push_back(library);
    return true;
}

const TestedLibrary& tested_library(std::string_view name) {
    for (const TestedLibrary& each : tested_libraries()) {
        if (each.name == name) return each;
    }
    std::abort();
}

bool WrapperList::expects(const Wrapper& wrapper) const {
    for (std::size_t index = 0; index < releases.size(); ++index) {
        if (releases[index] == tested_release()) return (wrapper.releases >> index & 1u) != 0;
    }
    return false;
}

void expect_missing_symbol(const Wrapper& wrapper, int status, const std::vector<std::string>& found) {
    SCOPED_TRACE(wrapper.name);
    EXPECT_EQ(wrapper.call_with_zeros(), wrapper.returns_status ? status : wrapper.missing_value);
    const cubind::Failure& failure = cubind::last_failure();
    EXPECT_EQ(failure.reason, cubind::FailureReason::symbol_missing);
    EXPECT_STREQ(failure.function, wrapper.symbol);
    EXPECT_EQ(failure.status, status);
    EXPECT_THAT(failure.detail, HasSubstr(wrapper.symbol));
    const std::string product = std::string(wrapper.entry_point()->library->product) + " ";
    EXPECT_THAT(failure.detail, HasSubstr(product + wrapper.since));
    if (*wrapper.removed != '\0') {
        EXPECT_THAT(failure.detail, HasSubstr(product + wrapper.removed));
    }
    for (const std::string& each : found) EXPECT_THAT(failure.detail, HasSubstr(each));
}

}  // namespace cubind::testing
