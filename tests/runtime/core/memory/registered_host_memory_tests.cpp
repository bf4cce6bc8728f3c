// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/core/launch/detail/kernel_argument.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/registered_host_memory.hpp>

#include <type_traits>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

static_assert(!std::is_copy_constructible_v<RegisteredHostMemory> && std::is_nothrow_move_constructible_v<RegisteredHostMemory>);
static_assert(detail::IsMemoryFor<RegisteredHostMemory, float>, "a kernel takes it for a pointer");

class RegisteredHostMemoryTest : public MemoryTest {
protected:
    static MemoryType kind_of(const void* address) { return PointerAttributes::of(address).kind; }

    std::vector<int> values = std::vector<int>(4096);
    std::span<int> all{values};
};

TEST_F(RegisteredHostMemoryTest, RegistersWhileItExists) {
    EXPECT_EQ(kind_of(values.data()), MemoryType::unregistered);
    {
        const RegisteredHostMemory pinned(all);
        EXPECT_EQ(kind_of(values.data()), MemoryType::host);
        EXPECT_EQ(kind_of(&values.back()), MemoryType::host);
        EXPECT_EQ(pinned.data(), values.data());
        EXPECT_EQ(pinned.size(), 4096 * sizeof(int));
        EXPECT_FALSE(pinned.is_closed());
        EXPECT_FALSE(ContextRef::current());
    }
    EXPECT_EQ(kind_of(values.data()), MemoryType::unregistered);
}

TEST_F(RegisteredHostMemoryTest, PassesItsOptions) {
    const RegisteredHostMemory pinned(values, {.portable = true, .mapped = true, .read_only = true});
    EXPECT_TRUE(pinned.options().portable);
    EXPECT_FALSE(pinned.options().io_memory);
    const ScopedContext scope(device.primary_context());
    EXPECT_EQ(check(driver::cuMemHostGetFlags(values.data())), static_cast<unsigned int>(driver::CU_MEMHOSTREGISTER_PORTABLE) |
                                                                   driver::CU_MEMHOSTREGISTER_DEVICEMAP |
                                                                   driver::CU_MEMHOSTREGISTER_READ_ONLY);
    EXPECT_THROW((void)RegisteredHostMemory(values, {.io_memory = true}), Error);  // this memory is not of another device
}

TEST_F(RegisteredHostMemoryTest, HasADeviceAddressIfItIsMapped) {
    {
        const RegisteredHostMemory mapped(all, {.mapped = true});
        EXPECT_EQ(mapped.native_handle(), reinterpret_cast<driver::CUdeviceptr>(values.data()));
        EXPECT_EQ(detail::KernelArgument<RegisteredHostMemory>::pass(mapped), mapped.native_handle());
    }
    const RegisteredHostMemory pinned(all);
    expect_misuse([&] { (void)pinned.native_handle(); }, "not mapped", "option mapped");
}

TEST_F(RegisteredHostMemoryTest, IsAnOperandOfCopiesAndFills) {
    for (const bool mapped : {false, true}) {
        RegisteredHostMemory pinned(all, {.mapped = mapped});
        Buffer buffer = device.allocate(stream, pinned.size());
        fill(stream, pinned, 7);
        copy(stream, buffer, pinned);
        fill(stream, pinned, std::uint8_t{0});
        stream.synchronize();
        EXPECT_THAT(values, ::testing::Each(0));
        copy_batch(stream, {{pinned, buffer}});
        stream.synchronize();
        EXPECT_THAT(values, ::testing::Each(7));
        const RegisteredHostMemory& constant = pinned;
        buffer.copy_from(stream, constant, {.source_access_order = SourceAccessOrder::any});
        stream.synchronize();
    }
}

TEST_F(RegisteredHostMemoryTest, CopiesLikePinnedMemory) {
    const RegisteredHostMemory pinned(all);
    Buffer buffer = device.allocate(stream, pinned.size());
    {
        Gate gate(stream);
        copy(stream, buffer, values);
        values[0] = 99;
    }
    int result = 0;
    copy(stream, result, buffer.span<int>().first(1));
    stream.synchronize();
    EXPECT_EQ(result, 99) << "pinned memory is read when the copy runs";
}

TEST_F(RegisteredHostMemoryTest, RegistersConstantMemoryForReading) {
    const std::span<const int> constant(values);
    expect_misuse([&] { (void)RegisteredHostMemory(constant); }, "constant", "read_only");
    const RegisteredHostMemory pinned(constant, {.read_only = true});
    EXPECT_EQ(pinned.data(), values.data());
}

TEST_F(RegisteredHostMemoryTest, NamesTheMemoryThatItOverlaps) {
    const RegisteredHostMemory part(all.subspan(2048, 16));
    const auto message = message_of<Error>([&] { (void)RegisteredHostMemory(all); });
    char address[32];
    std::snprintf(address, sizeof address, "%p", static_cast<void*>(&values[2048]));
    char whole[32];
    std::snprintf(whole, sizeof whole, "%p", static_cast<void*>(values.data()));
    EXPECT_THAT(message, AllOf(HasSubstr("HOST_MEMORY_ALREADY_REGISTERED"), HasSubstr(std::string("16384 bytes at ") + whole),
                               HasSubstr("overlap registered or pinned memory")));
    EXPECT_THAT(message_of<Error>([&] { (void)RegisteredHostMemory(all.subspan(2050, 1)); }),
                AllOf(HasSubstr("4 bytes at"), HasSubstr(std::string("64 bytes at ") + address)));
    const RegisteredHostMemory before(all.first(2048));
    EXPECT_THAT(message_of<Error>([&] { (void)RegisteredHostMemory(all.subspan(2040, 9)); }),
                HasSubstr(std::string("8192 bytes at ") + whole));
    const Buffer pinned = LegacyPinnedMemoryResource().allocate(stream, 64);
    EXPECT_THAT(message_of<Error>([&] { (void)RegisteredHostMemory(pinned.span<int>()); }),
                AllOf(HasSubstr("registered or pinned memory"), HasSubstr("64 bytes at")));
}

TEST_F(RegisteredHostMemoryTest, IgnoresZeroBytes) {
    layers::faults::start();
    RegisteredHostMemory none(std::span<int>(), {.mapped = true});
    EXPECT_EQ(none.data(), nullptr);
    EXPECT_EQ(none.size(), 0u);
    EXPECT_EQ(none.native_handle(), 0u);
    fill(stream, none, 0);
    none.close();
    EXPECT_EQ(layers::faults::calls("cuMemHostRegister_v2") + layers::faults::calls("cuMemHostUnregister"), 0u);
    layers::faults::stop();
}

TEST_F(RegisteredHostMemoryTest, MovesAndCloses) {
    RegisteredHostMemory pinned(all);
    RegisteredHostMemory moved = std::move(pinned);
    EXPECT_TRUE(pinned.is_closed());  // NOLINT(bugprone-use-after-move)
    EXPECT_THROW((void)pinned.data(), std::invalid_argument);
    EXPECT_THROW(copy(stream, values, pinned), std::invalid_argument);
    std::vector<int> more(16);
    moved = RegisteredHostMemory(more);
    EXPECT_EQ(kind_of(values.data()), MemoryType::unregistered);
    EXPECT_EQ(kind_of(more.data()), MemoryType::host);
    moved.close();
    moved.close();
    EXPECT_EQ(kind_of(more.data()), MemoryType::unregistered);
    EXPECT_TRUE(RegisteredHostMemory().is_closed());
}

TEST_F(RegisteredHostMemoryTest, RegistersInAContext) {
    RegisteredHostMemory pinned(Device(1).primary_context(), all, {.mapped = true});
    EXPECT_EQ(PointerAttributes::of(values.data()).device, Device(1));
    device.set_current();
    pinned.close();
    EXPECT_EQ(kind_of(values.data()), MemoryType::unregistered);
    pinned = RegisteredHostMemory(all);
    EXPECT_EQ(PointerAttributes::of(values.data()).device, device) << "in the current context";
}

TEST_F(RegisteredHostMemoryTest, OutlivesItsContext) {
    Context context(device);
    const RegisteredHostMemory pinned(context, all);
    context.close();
    EXPECT_EQ(kind_of(values.data()), MemoryType::unregistered);
}

TEST_F(RegisteredHostMemoryTest, ReportsEveryFailedCall) {
    sweep([&] { (void)RegisteredHostMemory(all, {.mapped = true, .read_only = true}); }, {"cuCtxGetDevice"});
    sweep([&] { RegisteredHostMemory(all).close(); });
}

}  // namespace
}  // namespace cubind::testing
