// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "nvshmem_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SymmetricMemoryTest : public NvshmemSessionTest {};

TEST_F(SymmetricMemoryTest, AllocatesOrdinaryBuffers) {
    EXPECT_TRUE(memory_.is_device_accessible());
    EXPECT_FALSE(memory_.is_host_accessible());
    {
        auto data = allocate<float>(1000);
        EXPECT_EQ(data.bytes().device(), Device(2));
        EXPECT_EQ(data.native_handle() % 256, 0u);
        data.fill(stream_, 2.0f);
        std::vector<float> values(1000);
        copy(stream_, values, data);
        stream_.synchronize();
        EXPECT_EQ(values[999], 2.0f);
        auto larger = data.clone(stream_);
        EXPECT_EQ(larger.get(stream_, 7), 2.0f);
        EXPECT_EQ(stand_in().allocated, 2);
    }
    EXPECT_EQ(stand_in().count("nvshmem_free"), 2);
    const Buffer empty = memory_.allocate(stream_, 0);
    EXPECT_EQ(stand_in().allocated, 0);
}

TEST_F(SymmetricMemoryTest, SaysHowToEnlargeTheHeap) {
    const auto half = memory_.allocate(stream_, NvshmemStandIn::heap_size / 2);
    ::unsetenv("NVSHMEM_SYMMETRIC_SIZE");
    EXPECT_THAT(message_of<OutOfMemory>([&] { static_cast<void>(memory_.allocate(stream_, NvshmemStandIn::heap_size)); }),
                AllOf(HasSubstr("16777216 bytes"), HasSubstr("1 buffers have 8388608 bytes"), HasSubstr("PE 2"),
                      HasSubstr("NVSHMEM_SYMMETRIC_SIZE is not set, which means 1 GiB")));
    ::setenv("NVSHMEM_SYMMETRIC_SIZE", "64M", 1);
    EXPECT_THAT(message_of<OutOfMemory>([&] { static_cast<void>(memory_.allocate(stream_, NvshmemStandIn::heap_size)); }),
                HasSubstr("NVSHMEM_SYMMETRIC_SIZE is \"64M\""));
}

TEST_F(SymmetricMemoryTest, HasTheMemoryOfPeers) {
    auto data = allocate<float>(100);
    EXPECT_EQ(session_.peer(data, 2)->data(), data.span().data());
    const auto there = session_.peer(data.subspan(10, 20), 3);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->size(), 20u);
    EXPECT_EQ(reinterpret_cast<driver::CUdeviceptr>(there->data()), stand_in().heap_of(3) + 40);
    stand_in().unreachable_pe = 1;
    EXPECT_FALSE(session_.peer(data, 1));
    EXPECT_THROW(static_cast<void>(session_.peer(data, 4)), std::invalid_argument);
    EXPECT_TRUE(session_.world().multicast(data.span()));
    EXPECT_FALSE(session_.node().multicast(data.span()));
}

TEST_F(SymmetricMemoryTest, RegistersMemory) {
    auto own = Device(2).allocate<int>(stream_, 100);
    {
        nvshmem::RegisteredMemory source(session_, own);
        EXPECT_EQ(stand_in().count("nvshmemx_buffer_register 400"), 1);
        EXPECT_EQ(source.address(), own.span().data());
        nvshmem::RegisteredMemory moved = std::move(source);
        source = std::move(moved);
        EXPECT_THROW(session_.close(), std::invalid_argument);
    }
    EXPECT_EQ(stand_in().count("nvshmemx_buffer_unregister"), 1);
    nvshmem::SymmetricMemory<int> shared(session_, own.span());
    EXPECT_EQ(shared.span().size(), 100u);
    EXPECT_EQ(stand_in().count("nvshmemx_buffer_register_symmetric 400 0"), 1);
    session_.put(stream_, shared.span(), own, 1);
    shared.close();
    shared.close();
    EXPECT_EQ(stand_in().count("nvshmemx_buffer_unregister_symmetric 400"), 1);
    EXPECT_THROW(static_cast<void>(shared.span()), std::invalid_argument);
}

TEST_F(SymmetricMemoryTest, RejectsRegistrations) {
    auto own = Device(2).allocate<int>(stream_, 100);
    EXPECT_THROW((void)nvshmem::RegisteredMemory(session_, own.first(0)), std::invalid_argument);
    EXPECT_THROW((void)nvshmem::SymmetricMemory<int>(session_, own.first(0)), std::invalid_argument);
    stand_in().refuses_registrations = true;
    EXPECT_THAT(message_of<nvshmem::CommunicationError>([&] { (void)nvshmem::SymmetricMemory<int>(session_, own.span()); }),
                HasSubstr("VirtualMemoryResource"));
}

}  // namespace
}  // namespace cubind::testing
