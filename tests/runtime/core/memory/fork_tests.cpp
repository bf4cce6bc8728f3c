// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Children of fork() while another thread of the parent calls the driver, and holds a mutex of the high-level layer meanwhile.

#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/layers/layer.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// Blocks the first call of a function until its destruction.
class BlockedCall final : public layers::Layer {
public:
    explicit BlockedCall(std::string_view function) : function_(function) { layers::push(*this); }
    ~BlockedCall() {
        open();
        layers::remove(*this);
    }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        if (function_ == call.function.symbol && !is_reached_.exchange(true)) {
            is_reached_.notify_all();
            is_open_.wait(false);
        }
        next(call);
    }
    void wait_for_call() const { is_reached_.wait(false); }
    void open() {
        is_open_ = true;
        is_open_.notify_all();
    }

private:
    const std::string_view function_;
    std::atomic<bool> is_reached_{false};
    std::atomic<bool> is_open_{false};
};

class MemoryForkTest : public MemoryTest {
protected:
    MemoryForkTest() : MemoryTest(machine_of_children) {}

    /// Expects that a child of fork() can end an operation, successfully or not, while another thread of its parent is blocked
    /// in a call of the driver by another operation.
    static void expect_end_in_child(const char* blocked_function, const std::function<void()>& blocked,
                                    const std::function<void()>& in_child) {
        BlockedCall call(blocked_function);
        std::thread other(blocked);
        call.wait_for_call();
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(20);
            set_cleanup_handler(nullptr);
            try {
                in_child();
            } catch (const std::exception&) {  // the driver cannot be used
            }
            ::_exit(0);
        }
        int status = -1;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << "while another thread was in " << blocked_function;
        call.open();
        other.join();
    }

    DeviceMemoryResource opened(PoolUuid uuid) const {
        IpcAllocationHandle handle = pool.allocation_handle();
        handle.uuid = uuid;
        return DeviceMemoryResource::from_allocation_handle(device, handle);
    }

    DeviceMemoryResource pool{device, {.ipc_enabled = true}};
    VirtualMemoryResource memory{device, {.sharing = SharingHandle::posix_file_descriptor}};
};

TEST_F(MemoryForkTest, ClosesImportedBuffers) {
    const DeviceMemoryResource imports = opened({});
    const Buffer buffer = pool.allocate(stream, 4096);
    const Buffer other = pool.allocate(stream, 4096);
    Buffer imported = Buffer::from_ipc_descriptor(stream, imports, other.ipc_descriptor());
    expect_end_in_child(
        "cuMemPoolImportPointer", [&] { (void)Buffer::from_ipc_descriptor(stream, imports, buffer.ipc_descriptor()); },
        [&] { imported.close(); });
    EXPECT_EQ(Buffer::from_ipc_descriptor(stream, imports, other.ipc_descriptor()), imported) << "the parent has its mapping";
}

TEST_F(MemoryForkTest, FindsPools) {
    expect_end_in_child(
        "cuMemPoolImportFromShareableHandle",
        [&] {
            (void)opened({1, 2});
        },
        [&] { (void)DeviceMemoryResource::from_registry(pool.uuid()); });
    EXPECT_EQ(DeviceMemoryResource::from_registry(pool.uuid()), pool);
}

TEST_F(MemoryForkTest, ClosesImportedMemory) {
    const VirtualBuffer buffer(memory, stream, 16), other(memory, stream, 16);
    VirtualBuffer imported = VirtualBuffer::import_memory(device, stream, other.export_memory());
    expect_end_in_child(
        "cuMemImportFromShareableHandle", [&] { (void)VirtualBuffer::import_memory(device, stream, buffer.export_memory()); },
        [&] { const VirtualBuffer ended(std::move(imported)); });
    EXPECT_EQ(imported.size(), 16u);
}

TEST_F(MemoryForkTest, ClosesVirtualBuffersThatGrow) {
    std::optional<VirtualBuffer> buffer(std::in_place, memory, stream, 16, VirtualBufferOptions{.reserve_size = 8 * unit});
    expect_end_in_child(
        "cuMemCreate", [&] { buffer->grow(3 * unit); }, [&] { buffer.reset(); });
    EXPECT_EQ(buffer->size(), 3 * unit);
}

TEST_F(MemoryForkTest, AsksWhetherAContextHasEnded) {
    std::optional<Stream> first(device), second(device);
    Context(device).close();
    expect_end_in_child(
        "cuCtxGetApiVersion", [&] { first.reset(); }, [&] { second.reset(); });
}

}  // namespace
}  // namespace cubind::testing
