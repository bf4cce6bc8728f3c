// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Core dumps of a GPU. Each fault happens in a process of its own, which runs this program again.

#include <cubind/core.hpp>
#include <cubind/core/process/core_dump_callback.hpp>
#include <cubind/core/process/core_dump_settings.hpp>
#include <cubind/driver/version.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

namespace cubind::testing {
namespace {

using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

constexpr std::chrono::seconds limit(30);  // of a core dump, which did not end within 60 s on a virtual machine with an H200
constexpr int exit_at_limit = 4;

constexpr const char* trap_ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry fault() { trap; ret; }
)";

class CoreDumpGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        GTEST_FLAG_SET(death_test_style, "threadsafe");  // runs the program again, so that the driver is not forked
        try {
            (void)Device::count();  // creates no context, which would not have the settings
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        if (check(driver::cuDriverGetVersion()) < 12010) GTEST_SKIP() << "core dumps need a driver of CUDA 12.1";
        // The process that runs the program again uses the same folder.
        folder = std::filesystem::path(::testing::TempDir()) / ("cubind-core-dump-" + std::to_string(::getuid()));
    }

    void clear_folder() const {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
    }

    static std::string first_bytes(const std::filesystem::path& path) {
        std::string bytes(4, '\0');
        std::ifstream(path, std::ios::binary).read(bytes.data(), 4);
        return bytes;
    }

    // The driver may write the file in a thread of its own, after the fault has been returned.
    static bool wait_for_file(const std::filesystem::path& parent) {
        const auto end = std::chrono::steady_clock::now() + limit;
        while (std::chrono::steady_clock::now() < end) {
            for (const auto& entry : std::filesystem::directory_iterator(parent)) {
                if (first_bytes(entry.path()) == "\177ELF") return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    }

    static std::string fault() {
        set_cleanup_handler(nullptr);  // after a fault, nothing can be destroyed
        const Stream stream{Device()};
        launch(stream, {.grid = 1, .block = 1}, ObjectCode::from_bytes(CodeType::ptx, trap_ptx).kernel("fault"));
        try {
            stream.synchronize();
        } catch (const Error& error) {
            return error.name();
        }
        return "no error";
    }

    [[noreturn]] static void fault_and_abort(const std::string& file) {
        const CoreDumpSettings settings = CoreDumpSettings::global();
        settings.set_file(file);
        settings.set_lightweight(true);
        settings.set_enabled_on_exception(true);
        if (fault() == "no error") std::_Exit(3);
        std::this_thread::sleep_for(limit);  // the driver ends the process when the file is complete
        std::_Exit(exit_at_limit);
    }

    [[noreturn]] static void fault_and_continue(const std::string& file) {
        const CoreDumpSettings settings = CoreDumpSettings::of(Device().primary_context());
        settings.set_file(file);
        settings.set_lightweight(true);
        settings.set_host_abort(false);
        settings.set_enabled_on_exception(true);
        CoreDumpCallback start, end;
        if (check(driver::cuDriverGetVersion()) >= 13020) {
            start = CoreDumpCallback::at_start([](int, driver::CUdevice device) { std::fprintf(stderr, "start %d\n", device); });
            end = CoreDumpCallback::at_end([](int, driver::CUdevice device) { std::fprintf(stderr, "end %d\n", device); });
        } else {
            std::fprintf(stderr, "start 0\nend 0\n");
        }
        const std::string name = fault();
        std::fprintf(stderr, "%s\n", name.c_str());
        if (name == "no error") std::_Exit(3);
        std::_Exit(wait_for_file(std::filesystem::path(file).parent_path()) ? 0 : exit_at_limit);
    }

    std::filesystem::path folder;
};

using CoreDumpGpuDeathTest = CoreDumpGpuTest;

/// Accepts a status, and stores it.
class Ended {
public:
    explicit Ended(std::function<bool(int)> expected) : expected_(std::move(expected)) {}
    bool operator()(int status) const {
        is_late = ExitedWithCode(exit_at_limit)(status);
        return is_late || expected_(status);
    }
    static inline bool is_late = false;  ///< whether the latest child waited for its core dump until the limit

private:
    std::function<bool(int)> expected_;
};

TEST_F(CoreDumpGpuDeathTest, WritesAFileAndAbortsTheProcess) {
    const std::filesystem::path file = folder / "aborted";
    clear_folder();
    EXPECT_EXIT(fault_and_abort(file), Ended(KilledBySignal(SIGABRT)), "");
    if (Ended::is_late) GTEST_SKIP() << "the driver did not complete a core dump within " << limit.count() << " s";
    EXPECT_EQ(first_bytes(file), "\177ELF");
    std::filesystem::remove_all(folder);
}

TEST_F(CoreDumpGpuDeathTest, WritesAFileAndReturnsTheFault) {
    clear_folder();
    EXPECT_EXIT(fault_and_continue(folder / "continued.%p"), Ended(ExitedWithCode(0)), "start 0\nend 0\nCUDA_ERROR_");
    if (Ended::is_late) GTEST_SKIP() << "the driver did not complete a core dump within " << limit.count() << " s";
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        EXPECT_EQ(first_bytes(entry.path()), "\177ELF") << entry.path();
        EXPECT_EQ(entry.path().string().find('%'), std::string::npos) << entry.path();
        ++files;
    }
    EXPECT_EQ(files, 1u);
    std::filesystem::remove_all(folder);
}

TEST_F(CoreDumpGpuTest, StoresSettings) {
    const Context context{Device()};
    const CoreDumpSettings settings = CoreDumpSettings::of(context), global = CoreDumpSettings::global();
    EXPECT_FALSE(settings.is_enabled_on_exception());
    EXPECT_FALSE(global.is_user_trigger_enabled());
    settings.set_file("dump.%h.%p");
    EXPECT_EQ(settings.file(), "dump.%h.%p");
    EXPECT_NE(global.file(), settings.file());
    settings.set_enabled_on_exception(true);
    EXPECT_TRUE(settings.is_enabled_on_exception());
    EXPECT_FALSE(global.is_enabled_on_exception());
    if (check(driver::cuDriverGetVersion()) < 12050) return;
    const unsigned flags = driver::CU_COREDUMP_SKIP_GLOBAL_MEMORY | driver::CU_COREDUMP_SKIP_ABORT;
    settings.set_flags(flags);
    EXPECT_EQ(settings.flags(), flags);
}

}  // namespace
}  // namespace cubind::testing
