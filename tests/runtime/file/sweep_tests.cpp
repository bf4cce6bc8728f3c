// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Each call of the driver and of cuFile that the classes make, failing once.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "file_test.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t page_size = 4096;

class FileSweepTest : public CufileTest {
protected:
    FileSweepTest() {
        device_.set_current();
        static_cast<void>(file_with(pattern(5 * page_size)));
    }

    static FileOptions options(FileRoute route) {
        return {.write = true, .route = route, .chunk_size = page_size, .chunk_count = 2};
    }
    [[nodiscard]] File open(FileRoute route) const { return File(folder_ / "data", options(route)); }

    /// Sweeps the calls of the driver; sweep_cufile() those of cuFile, in the stand-in, which counts what a failed release
    /// leaves. Work has ended when the operation ends, and has released what it uses. Memory is freed without a wait if nobody
    /// knows whether the stream is capturing.
    std::size_t sweep_driver(const std::function<void()>& operation, std::vector<std::string> tolerated = {}) {
        tolerated.emplace_back("cuStreamIsCapturing");
        std::vector<std::string> except;
        for (const EntryPoint* each : cufile::all_entry_points()) except.emplace_back(each->symbol);
        return sweep(
            [&] {
                try {
                    operation();
                    device_.synchronize();
                } catch (...) {
                    device_.synchronize();
                    throw;
                }
            },
            tolerated, except);
    }

    /// Runs the operation again and again, and lets each of its calls of cuFile fail once. Checks that an exception or a message
    /// names it, and that nothing is left. Returns the number of calls.
    int sweep_cufile(const std::function<void()>& operation, const std::vector<std::string>& tolerated = {}) {
        for (int call = 1;; ++call) {
            stand_in().statuses = 0;
            stand_in().failing = call;
            stand_in().failed.clear();
            std::string reported;
            try {
                operation();
            } catch (const FileError& error) {
                reported = error.function();
            }
            device_.synchronize();
            destroy_deferred_objects();
            const bool has_message = !taken_cleanup_messages().empty();
            const std::string& failed = stand_in().failed;
            if (failed.empty()) {
                EXPECT_EQ(reported, "");
                stand_in().failing = 0;
                return call - 1;
            }
            if (std::ranges::find(tolerated, failed) == tolerated.end()) {
                EXPECT_TRUE(reported == failed || has_message)
                    << failed << " has failed, and the error names \"" << reported << '"';
            }
            EXPECT_EQ(stand_in().handles, 0) << failed;
            EXPECT_EQ(stand_in().batches, 0) << failed;
            EXPECT_EQ(stand_in().open, 0) << failed;
            EXPECT_TRUE(stand_in().registered.empty()) << failed;
        }
    }

    TypedBuffer<unsigned char> buffer_ = on_device(Bytes(5 * page_size));
};

TEST_F(FileSweepTest, TransfersByTheOperatingSystem) {
    const std::size_t calls = sweep_driver([this] {
        const File file = open(FileRoute::posix);
        file.read(buffer_);
        file.write(buffer_, {.size = 3 * page_size});
    });
    EXPECT_GT(calls, 20u);
}

TEST_F(FileSweepTest, TransfersInAStreamByTheOperatingSystem) {
    const std::size_t calls = sweep_driver([this] {
        const File file = open(FileRoute::posix);
        const FileTransfer read = file.read_async(stream_, buffer_);
        const FileTransfer one = file.read_async(stream_, buffer_, {.size = 10});
        const FileTransfer written = file.write_async(stream_, buffer_);
        for (const FileTransfer& each : {read, one, written}) each.wait();
        for (const FileTransfer& each : {read, one, written}) (void)each.result();
    });
    EXPECT_GT(calls, 40u);
}

TEST_F(FileSweepTest, TransfersByCufile) {
    const auto operation = [this] {
        const FileDriver driver({.allow_compat_mode = false,
                                 .force_compat_mode = false,
                                 .poll_threshold_kib = 1,
                                 .max_direct_io_kib = 1,
                                 .max_cache_kib = 1,
                                 .max_pinned_kib = 1});
        RegisteredFileBuffer registered(buffer_);
        const RegisteredFileBuffer second(buffer_.subspan(1));
        const File file = open(FileRoute::gpu_direct);
        file.read(buffer_);
        file.write(buffer_);
        registered.close();
    };
    sweep_driver(operation);
    // Without the properties, nothing is registered, which is no failure.
    EXPECT_EQ(sweep_cufile(operation, {"cuFileGetVersion", "cuFileDriverGetProperties"}), 21);
}

TEST_F(FileSweepTest, FilesThatNeedNoCufile) {
    // Without a demand, a cuFile that does not work is no failure. The storage decides whether cuFile is asked.
    sweep_cufile([this] { const File file(folder_ / "data", {.write = true}); },
                 {"cuFileDriverOpen", "cuFileGetVersion", "cuFileDriverGetProperties", "cuFileHandleRegister"});
}

TEST_F(FileSweepTest, TransfersInAStreamByCufile) {
    const auto operation = [this] {
        const File file = open(FileRoute::gpu_direct);
        const FileTransfer read = file.read_async(stream_, buffer_), written = file.write_async(stream_, buffer_);
        read.wait();
        written.wait();
        (void)read.result();
        (void)written.result();
    };
    sweep_driver(operation, {"cuLaunchHostFunc"});  // the stand-in calls it, and reports a status of its own
    EXPECT_EQ(sweep_cufile(operation), 7);
}

TEST_F(FileSweepTest, Batches) {
    for (const FileRoute route : {FileRoute::posix, FileRoute::gpu_direct}) {
        const auto operation = [&] {
            const File file = open(route);
            FileBatch batch(2);
            batch.read(file, buffer_, {.size = page_size});
            batch.read(file, buffer_, {.memory_offset = page_size, .size = page_size});
            batch.submit();
            EXPECT_TRUE(batch.wait(60s));
            (void)batch.result(0);
            (void)batch.result(1);
        };
        sweep_driver(operation);
        EXPECT_EQ(sweep_cufile(operation), route == FileRoute::posix ? 0 : 8);
    }
}

TEST_F(FileSweepTest, CancelledBatches) {
    const auto operation = [&] {
        stand_in().held = 1;
        const File file = open(FileRoute::gpu_direct);
        FileBatch batch(1);
        batch.read(file, buffer_);
        batch.submit();
        batch.cancel();
    };
    sweep_driver(operation);
    EXPECT_EQ(sweep_cufile(operation), 9);
    sweep_cufile([&] {
        const File file = open(FileRoute::gpu_direct);
        FileBatch batch(1);
        batch.read(file, buffer_);
        batch.submit();  // the destructor cancels
    });
}

}  // namespace
}  // namespace cubind::testing
