// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/registered_host_memory.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/layers/layer.hpp>

#include <fcntl.h>
#include <string_view>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// A stand-in for a driver that exports DMA buffers, and whose devices have several locality domains.
class LargerDevice final : public layers::Layer {
public:
    LargerDevice() { layers::push(*this); }
    ~LargerDevice() { layers::remove(*this); }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view name = call.function.symbol;
        if (name == "cuDeviceGetAttribute") {
            next(call);
            const auto which = argument<driver::CUdevice_attribute>(call, 1);
            if (which == driver::CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED) *argument<int*>(call, 0) = 1;
            if (which == driver::CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT) *argument<int*>(call, 0) = 2;
        } else if (name == "cuMemGetHandleForAddressRange") {
            size = argument<std::size_t>(call, 2);
            flags = argument<unsigned long long>(call, 4);
            *static_cast<int*>(argument<void*>(call, 0)) = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
            call.status() = driver::CUDA_SUCCESS;
        } else if (name == "cuPointerGetAttribute" &&
                   argument<driver::CUpointer_attribute>(call, 1) == driver::CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL) {
            *static_cast<int*>(argument<void*>(call, 0)) = domain;
            call.status() = driver::CUDA_SUCCESS;
        } else {
            next(call);
        }
    }

    std::size_t size = 0;
    unsigned long long flags = 0;
    int domain = 1;

private:
    template <class Type>
    static Type argument(const Call& call, std::size_t index) {
        return *static_cast<Type*>(call.arguments[index]);
    }
};

/// Memory of cuMemAlloc, which a context that is not current owns.
class PlainMemory {
public:
    PlainMemory(ContextRef context, std::size_t size) : context_(context), address(allocate(size)) {}
    ~PlainMemory() {
        const ScopedContext scope(context_);
        check(driver::cuMemFree(address));
    }

private:
    driver::CUdeviceptr allocate(std::size_t size) const {
        const ScopedContext scope(context_);
        return check(driver::cuMemAlloc(size));
    }
    const ContextRef context_;

public:
    const driver::CUdeviceptr address;
};

class BufferHandleTest : public MemoryTest {
protected:
    const PlainMemory memory{device.primary_context(), 1 << 16};
    Buffer plain = Buffer::view_of(memory.address, 1 << 16);
};

// ---- DMA buffers ---------------------------------------------------------------------------------------------------------

class DmaBufferTest : public MemoryTest {
protected:
    const Buffer mapped = VirtualMemoryResource(device).allocate(stream, 1 << 16);
};

TEST_F(DmaBufferTest, IsAFileDescriptorOfThePages) {
    LargerDevice driver;
    const FileDescriptor exported = mapped.dma_buf();
    EXPECT_GE(exported.native_handle(), 0);
    EXPECT_EQ(driver.size, 1u << 16);
    EXPECT_EQ(driver.flags, 0u);
    (void)mapped.dma_buf(DmaBufMapping::pcie);
    EXPECT_EQ(driver.flags, 1u);
    const Buffer part = Buffer::view_of(mapped.native_handle(), 5000);
    expect_misuse([&] { (void)part.dma_buf(); }, "5000 bytes at 0x", "multiples of 4096");
    expect_misuse([&] { (void)Buffer::view_of(mapped.native_handle() + 8, 4096).dma_buf(); }, "4096");
    EXPECT_THROW((void)Buffer().dma_buf(), std::invalid_argument);
}

TEST_F(DmaBufferTest, NeedsAnAttributeOfTheDevice) {
    EXPECT_THAT(message_of<Error>([&] { (void)mapped.dma_buf(); }),
                AllOf(HasSubstr("cuMemGetHandleForAddressRange"), HasSubstr("DMA_BUF_SUPPORTED"), HasSubstr("device 0")));
}

// ---- synchronous operations ----------------------------------------------------------------------------------------------

TEST_F(BufferHandleTest, SynchronizesMemoryOperations) {
    EXPECT_FALSE(PointerAttributes::of(memory.address).synchronizes_memory_operations);
    plain.set_synchronizes_memory_operations(true);
    EXPECT_TRUE(PointerAttributes::of(memory.address).synchronizes_memory_operations);
    plain.set_synchronizes_memory_operations(false);
    EXPECT_FALSE(PointerAttributes::of(memory.address).synchronizes_memory_operations);
    EXPECT_FALSE(ContextRef::current());

    std::vector<float> values(1024);
    RegisteredHostMemory pinned(values);
    pinned.set_synchronizes_memory_operations(true);
    EXPECT_TRUE(PointerAttributes::of(values.data()).synchronizes_memory_operations);
    float local = 0;
    Buffer foreign = Buffer::view_of(reinterpret_cast<driver::CUdeviceptr>(&local), sizeof local);
    EXPECT_THAT(message_of<Error>([&] { foreign.set_synchronizes_memory_operations(true); }), HasSubstr("cuPointerSetAttribute"));
    Buffer mapped = VirtualMemoryResource(device).allocate(stream, 4096);
    EXPECT_THAT(message_of<Error>([&] { mapped.set_synchronizes_memory_operations(true); }), HasSubstr("not virtual memory"));
}

// ---- locality domains ----------------------------------------------------------------------------------------------------

class LocalityDomainTest : public MemoryTest {
protected:
    const Buffer buffer = device.allocate(stream, 16);
};

TEST_F(LocalityDomainTest, IsNotNamedWhereADeviceHasOne) {
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).locality_domain, std::nullopt);
}

TEST_F(LocalityDomainTest, IsNamedWhereADeviceHasSeveral) {
    LargerDevice driver;
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).locality_domain, 1);
    driver.domain = -1;
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).locality_domain, std::nullopt);
    const int local = 0;
    EXPECT_EQ(PointerAttributes::of(&local).locality_domain, std::nullopt);
}

TEST_F(DmaBufferTest, ReportsAFailureOfEachCall) {
    const LargerDevice driver;
    EXPECT_GE(sweep([&] { (void)mapped.dma_buf(); }), 1u);
    EXPECT_EQ(sweep([&] { (void)PointerAttributes::of(mapped.native_handle()); }), 2u) << "the second for the locality domain";
}

TEST_F(BufferHandleTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([&] { plain.set_synchronizes_memory_operations(true); }), 1u);
}

// ---- legacy IPC ----------------------------------------------------------------------------------------------------------

/// The simulated driver treats the contexts of a process like processes.
class LegacyIpcTest : public BufferHandleTest {
protected:
    const Context other{device};
    Stream other_stream{other};
};

TEST_F(LegacyIpcTest, MapsAPartOfAnAllocation) {
    std::vector<int> values{1, 2, 3, 4};
    const Buffer part = Buffer::view_of(memory.address + 256, 16);
    copy(stream, part.span<int>(), values);
    stream.synchronize();
    const LegacyIpcDescriptor descriptor = part.legacy_ipc_descriptor();
    EXPECT_EQ(descriptor.offset, 256u);
    EXPECT_EQ(descriptor.size, 16u);
    EXPECT_EQ(descriptor, part.legacy_ipc_descriptor());
    EXPECT_NE(descriptor, plain.legacy_ipc_descriptor());
    Buffer mapped = Buffer::from_legacy_ipc_descriptor(other_stream, descriptor);
    EXPECT_TRUE(mapped.is_mapped());
    EXPECT_EQ(mapped.device(), device);
    EXPECT_EQ(mapped.size(), 16u);
    std::vector<int> results(4);
    copy(other_stream, results, mapped.span<int>());
    other_stream.synchronize();
    EXPECT_EQ(results, values);
    EXPECT_THROW((void)mapped.memory_resource()->allocate(other_stream, 16), std::invalid_argument);

    const Buffer again = Buffer::from_legacy_ipc_descriptor(other_stream, descriptor);
    layers::faults::start();
    std::atomic<bool> is_done{false};
    other_stream.launch_host_function([&] { is_done = true; });
    mapped.close();
    EXPECT_TRUE(is_done) << "closing waits for the stream";
    EXPECT_EQ(layers::faults::calls("cuIpcCloseMemHandle"), 1u);
    layers::faults::stop();
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(LegacyIpcTest, RejectsWhatCannotBeShared) {
    expect_misuse([&] { (void)device.allocate(stream, 16).legacy_ipc_descriptor(); }, "16 bytes at 0x", "ipc_descriptor()");
    expect_misuse([&] { (void)VirtualMemoryResource(device).allocate(stream, 16).legacy_ipc_descriptor(); }, "export_memory()");
    expect_misuse([&] { (void)device.allocate(stream, 0).legacy_ipc_descriptor(); }, "0 bytes");
    LegacyIpcDescriptor descriptor = plain.legacy_ipc_descriptor();
    EXPECT_THAT(message_of<Error>([&] { (void)Buffer::from_legacy_ipc_descriptor(stream, descriptor); }),
                AllOf(HasSubstr("cuIpcOpenMemHandle"), HasSubstr("another process")));
    descriptor.offset = 1;
    layers::faults::start();
    expect_misuse([&] { (void)Buffer::from_legacy_ipc_descriptor(other_stream, descriptor); }, "65536 bytes at offset 1");
    EXPECT_EQ(layers::faults::calls("cuIpcCloseMemHandle"), 1u) << "the memory is closed again";
    layers::faults::stop();
    descriptor.size = 0;
    expect_misuse([&] { (void)Buffer::from_legacy_ipc_descriptor(other_stream, descriptor); }, "0 bytes");
}

TEST_F(LegacyIpcTest, ReportsAFailureOfEachCall) {
    const LegacyIpcDescriptor descriptor = plain.legacy_ipc_descriptor();
    sweep([&] { (void)plain.legacy_ipc_descriptor(); });
    sweep([&] { const Buffer mapped = Buffer::from_legacy_ipc_descriptor(other_stream, descriptor); },
          {"cuStreamIsCapturing", "cuCtxGetCurrent", "cuCtxPushCurrent_v2", "cuThreadExchangeStreamCaptureMode",
           "cuIpcCloseMemHandle"});  // without an answer, there is no wait; closing is repeated
}

}  // namespace
}  // namespace cubind::testing
