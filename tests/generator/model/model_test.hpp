// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/build.hpp"
#include "support/release_facts.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {

/// Builds models from given facts and the library.json and overrides.json of golden/base.
class ModelTest : public ::testing::Test {
protected:
    ModelTest() {
        for (const char* file : {"library.json", "overrides.json"}) {
            specs_.write(std::string("toy/") + file,
                         read_file(std::filesystem::path(CUBIND_GENERATOR_TESTS) / "golden/base" / file));
        }
    }

    /// Returns facts with the status enum and the function that these two files require.
    static ReleaseFacts release(const std::string& number) {
        return ReleaseFacts(number)
            .enumeration("toyStatus", {{"TOY_OK", 0}, {"TOY_NO_LIBRARY", 1}, {"TOY_NO_FUNCTION", 2}})
            .function("toyInit")
            .group("TOY_MAIN");
    }
    gen::model::Model build(const gen::spec::Facts& facts) const { return gen::model::build(specs_.path(), "toy", facts); }
    std::string error(const gen::spec::Facts& facts) const {
        return input_error_of([&] { build(facts); });
    }
    /// Returns the path of one of the library's files as it appears in messages.
    std::string file(const std::string& name) const { return specs_.below("toy/" + name).string(); }
    /// Binds the library to this major.
    void bind_to(int major, const std::string& oldest = {}, const std::string& refused_from = {}) const {
        specs_.replace("toy/library.json", "[\"libtoy.so.1\"]",
                       "[\"libtoy.so.1\"], \"version_function\": \"toyVersion\", \"major\": " + std::to_string(major) +
                           (oldest.empty() ? "" : ", \"oldest\": \"" + oldest + "\"") +
                           (refused_from.empty() ? "" : ", \"refused_from\": \"" + refused_from + "\""));
    }

    const ScratchFolder specs_;
};

}  // namespace cubind::testing
