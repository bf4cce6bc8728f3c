// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Targets of layer 3 while the process has no memory left: one allocation fails, or all later ones, of the first allocations
// each, and of later ones some.
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/error.hpp>
#include <cubind/sim/gtest.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "exhausted_memory.hpp"
#include "lifetime/deferred.hpp"
#include "observed.hpp"
#include "use_tests.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

// Not a CoreTest, whose check of failed calls allocates memory itself.
class LayerExhaustionTest : public sim::DriverTest, public ::testing::WithParamInterface<Target> {
protected:
    LayerExhaustionTest() : DriverTest({.devices = 1}) { observe_driver(); }

    void SetUp() override {
        Device(0).set_current();
        set_cleanup_handler(nullptr);  // releases may fail, too
    }

    /// Returns why a call has failed; empty if memory was exhausted.
    template <class Call>
    static std::string problem_of(Call call, bool& has_thrown) {
        has_thrown = true;
        try {
            call();
            has_thrown = false;
        } catch (const std::bad_alloc&) {
        } catch (const OutOfMemory&) {
        } catch (const std::system_error& error) {
            if (error.code() != std::errc::not_enough_memory) return error.what();
        } catch (const std::exception& error) {
            const std::string_view text = error.what();
            // The simulated driver could not start a thread, if it says OPERATING_SYSTEM.
            const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
            if (!has("OUT_OF_MEMORY") && !has("emory") && !has("OPERATING_SYSTEM")) return error.what();
        }
        return {};
    }

    /// Returns the contents of the files of the folder, by name.
    [[nodiscard]] std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> all;
        for (const auto& each : fs::directory_iterator(folder_.path)) {
            std::ifstream file(each.path(), std::ios::binary);
            all[each.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
        }
        return all;
    }

    /// Returns what the descriptors of the process lead to.
    static std::multiset<std::string> open_files() {
        std::multiset<std::string> all;
        std::error_code ignored;
        for (const auto& each : fs::directory_iterator("/proc/self/fd")) all.insert(fs::read_symlink(each, ignored));
        return all;
    }

    /// Waits for all work, and destroys what it used. The memory of the device is not compared: the simulated driver may lose
    /// some if it has no memory itself.
    static void end_work() {
        Device(0).synchronize();
        EXPECT_TRUE(eventually([] {
            detail::destroy_ready_objects();
            return detail::deferred_objects.empty();
        }));
    }

    UseFolder folder_;
};

TEST_P(LayerExhaustionTest, ThrowsAndLeavesNothing) {
    GetParam().use(folder_.path);  // what is kept until the process ends is there
    end_work();
    const std::multiset<std::string> descriptors = open_files();
    const auto names = files();
    for (const Shortage shortage : {Shortage::transient, Shortage::lasting}) {
        bool was_exhausted = true;
        int failures = 0;
        for (long count = 0; was_exhausted && count < 100000; count += 1 + count / 8) {
            for (const auto& [name, content] : names) {
                if (name != "data") std::ofstream(folder_.path + "/" + name, std::ios::binary) << "old\n";
            }
            std::string problem;
            bool has_thrown = false;
            {
                const LimitedMemory memory(count, shortage);
                problem = problem_of([&] { GetParam().use(folder_.path); }, has_thrown);
                was_exhausted = memory.is_exhausted();
            }
            failures += has_thrown;
            EXPECT_EQ(problem, "") << "after " << count << " allocations";
            EXPECT_TRUE(was_exhausted || !has_thrown);
            end_work();
            EXPECT_EQ(open_files(), descriptors) << "after " << count << " allocations";
            for (const auto& [name, content] : files()) {
                ASSERT_TRUE(names.contains(name)) << name << " is left after " << count << " allocations";
                if (name == "data") continue;
                EXPECT_TRUE(content == "old\n" || (content.size() > 20 && content.back() == '\n')) << name << ": " << content;
            }
            if (HasFailure()) return;
        }
        EXPECT_FALSE(was_exhausted);
        EXPECT_GT(failures, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, LayerExhaustionTest, ::testing::ValuesIn(targets()), name_of);

}  // namespace
}  // namespace cubind::testing
