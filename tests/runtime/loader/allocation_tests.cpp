// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Checks that successful calls do not allocate. This program is separate, because it replaces malloc to count allocations.
#include <cubind/call.hpp>

#include <atomic>
#include <cstdlib>

#include "loader_test.hpp"
#include "sanitizers.hpp"

namespace {

std::atomic<long> allocations{0};

}  // namespace

#if !CUBIND_TEST_ALLOCATOR_SANITIZER  // sanitizers replace malloc themselves

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);

void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
    ++allocations;
    return __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
    ++allocations;
    return __libc_realloc(block, size);
}

}  // extern "C"

#endif

namespace cubind::testing {

class LoaderAllocationTest : public LoaderTest {
protected:
    LoaderAllocationTest() { set(override_variable, place(13, "stand_in.so")); }

    template <class Body>
    static long allocations_of(Body body) {
        const long before = allocations.load();
        body();
        return allocations.load() - before;
    }

    void SetUp() override {
        if (allocations_of([] { ::operator delete(::operator new(1)); }) == 0) {
            GTEST_SKIP() << "allocations are not counted in this build";
        }
    }

    Library& row_ = toolkit_row();
    EntryPoint& add_ = entry_in(row_, "stand_in_add");
    EntryPoint& return_ = entry_in(row_, "stand_in_return");
};

TEST_F(LoaderAllocationTest, CallsAResolvedEntryWithoutAllocation) {
    int sum = 0;
    call<int(int, int, int*)>(add_, 1, 2, &sum);
    EXPECT_EQ(allocations_of([&] { call<int(int, int, int*)>(add_, 1, 2, &sum); }), 0);
}

TEST_F(LoaderAllocationTest, ResolvesInALoadedLibraryWithoutAllocation) {
    ASSERT_TRUE(load(row_));
    int sum = 0;
    EXPECT_EQ(allocations_of([&] { call<int(int, int, int*)>(add_, 1, 2, &sum); }), 0);
    EXPECT_EQ(sum, 3);
}

TEST_F(LoaderAllocationTest, RecordsAFailingStatusWithoutAllocation) {
    ASSERT_TRUE(load(row_));
    EXPECT_EQ(allocations_of([&] { call<int(int)>(return_, 3); }), 0);
    EXPECT_EQ(last_failure().status, 3);
}

}  // namespace cubind::testing
