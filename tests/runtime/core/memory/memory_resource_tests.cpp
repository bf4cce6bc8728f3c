// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The handles of resources, and the alignment of their memory.

#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/memory_adaptors.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <functional>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class MemoryResourceTest : public MemoryTest {};

template <class Resource>
inline constexpr bool is_handle =
    std::is_convertible_v<Resource, MemoryResource> && !std::is_base_of_v<MemoryResource, Resource> &&
    std::is_final_v<Resource> && std::is_copy_constructible_v<Resource>;
static_assert(is_handle<DeviceMemoryResource> && is_handle<PinnedMemoryResource> && is_handle<LegacyPinnedMemoryResource> &&
              is_handle<ManagedMemoryResource> && is_handle<StatisticsMemoryResource> && is_handle<LimitMemoryResource> &&
              is_handle<LoggingMemoryResource> && is_handle<FailureCallbackMemoryResource>);
static_assert(std::is_final_v<MemoryResource>);
static_assert(!std::is_copy_constructible_v<PoolMemoryResource> &&
              !std::is_constructible_v<PoolMemoryResource, DeviceMemoryResource&>);
static_assert(!std::is_copy_constructible_v<RecordingResource> && !std::is_move_constructible_v<RecordingResource> &&
              !std::is_copy_assignable_v<RecordingResource>);

TEST_F(MemoryResourceTest, ConvertsFromEveryHandle) {
    const DeviceMemoryResource pool(device);
    const MemoryResource any = pool;
    EXPECT_EQ(any, pool);
    EXPECT_EQ(any.base(), pool.base());
    EXPECT_EQ(any.device(), device);
    MemoryResource assigned(std::make_shared<RecordingResource>());
    EXPECT_FALSE(assigned == any);
    assigned = LimitMemoryResource(pool, 64);
    EXPECT_EQ(assigned.device(), device);
    EXPECT_THROW((void)assigned.allocate(stream, 65), OutOfMemory);
}

TEST_F(MemoryResourceTest, IsHashable) {
    const MemoryResource any = DeviceMemoryResource(device);
    EXPECT_EQ(std::hash<MemoryResource>()(any), std::hash<MemoryResource>()(device.memory_resource()));
}

TEST_F(MemoryResourceTest, AlignsMemoryOfTheDriver) {
    constexpr std::size_t max_alignment = MemoryResourceBase::default_alignment;
    EXPECT_EQ(max_alignment, 256u);
    const MemoryResource resources[] = {device.memory_resource(), DeviceMemoryResource(device, {}),
                                        PinnedMemoryResource(),   LegacyPinnedMemoryResource(),
                                        ManagedMemoryResource(),  LimitMemoryResource(DeviceMemoryResource(device), 4096)};
    for (const MemoryResource& each : resources) {
        const Buffer first = each.allocate(stream, 24);
        const Buffer second = each.allocate(stream, 24, max_alignment);
        const Buffer third = each.allocate(stream, 24, 1);
        EXPECT_EQ(first.native_handle() % max_alignment, 0u);
        EXPECT_EQ(second.native_handle() % max_alignment, 0u);
        const std::string message = message_of<std::invalid_argument>([&] { (void)each.allocate(stream, 24, 512); });
        EXPECT_THAT(message, AllOf(HasSubstr("alignment of 512"), HasSubstr("at most 256")));
    }
    EXPECT_EQ(device.allocate(stream, 24, 64).size(), 24u);
    EXPECT_THROW((void)device.allocate(stream, 24, 512), std::invalid_argument);
}

TEST_F(MemoryResourceTest, RejectsAlignmentsThatAreNoPowersOfTwo) {
    const MemoryResource resource(std::make_shared<RecordingResource>());
    for (const std::size_t alignment : {std::size_t{0}, std::size_t{3}, std::size_t{48}, ~std::size_t{0}}) {
        const auto message = [&](auto allocate) { return message_of<std::invalid_argument>(allocate); };
        const auto names_it = AllOf(HasSubstr("alignment of " + std::to_string(alignment)), HasSubstr("power of two"));
        EXPECT_THAT(message([&] { (void)resource.allocate(stream, 24, alignment); }), names_it);
        EXPECT_THAT(message([&] { (void)device.allocate(stream, 24, alignment); }), names_it);
        EXPECT_THAT(message([&] { (void)Buffer::from_native_handle(256, 24, resource, stream, alignment); }), names_it);
    }
}

TEST_F(MemoryResourceTest, RejectsAlignmentsAboveItsLimit) {
    const MemoryResource resource(std::make_shared<RecordingResource>());
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)resource.allocate(stream, 24, std::size_t{1} << 32); }),
                AllOf(HasSubstr("alignment of 4294967296"), HasSubstr("more than 2147483648")));
}

TEST_F(MemoryResourceTest, PassesTheAlignmentToTheResource) {
    const auto recording = std::make_shared<RecordingResource>();
    const StatisticsMemoryResource resource{MemoryResource(recording)};
    for (const std::size_t alignment : {std::size_t{1}, std::size_t{64}, std::size_t{4096}, std::size_t{1} << 20}) {
        Buffer buffer = resource.allocate(stream, 24, alignment);
        EXPECT_EQ(buffer.native_handle() % alignment, 0u);
        Buffer moved = std::move(buffer);
        const auto shared = detail::share(moved);
    }
    (void)resource.allocate(stream, 24);
    EXPECT_THAT(recording->alignments, ElementsAre(1u, 64u, 4096u, 1u << 20, 256u)) << "in the order of the frees";
}

TEST_F(MemoryResourceTest, AlignsElements) {
    struct alignas(1024) Page {
        char bytes[1024];
    };
    const auto recording = std::make_shared<RecordingResource>();
    const MemoryResource resource(recording);
    EXPECT_EQ(resource.allocate<Page>(stream, 2).native_handle() % 1024, 0u);
    (void)resource.allocate<char>(stream, 2);
    EXPECT_THAT(recording->alignments, ElementsAre(1024u, 256u));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)device.allocate<Page>(stream, 1); }),
                HasSubstr("alignment of 1024"));
}

TEST_F(MemoryResourceTest, RejectsElementsThatAResourceMisaligns) {
    /// Ignores the alignment.
    class Misaligning final : public RecordingResource {
    public:
        driver::CUdeviceptr allocate(StreamRef on, std::size_t size, std::size_t alignment) override {
            return RecordingResource::allocate(on, size + 4, alignment) + 4;
        }
        void deallocate(StreamRef on, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
            RecordingResource::deallocate(on, pointer - 4, size + 4, alignment);
        }
    };
    const auto misaligning = std::make_shared<Misaligning>();
    const MemoryResource resource(misaligning);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)resource.allocate<double>(stream, 2); }),
                HasSubstr("multiples of 8"));
    EXPECT_THAT(misaligning->streams, SizeIs(1)) << "the memory is freed";
}

}  // namespace
}  // namespace cubind::testing
