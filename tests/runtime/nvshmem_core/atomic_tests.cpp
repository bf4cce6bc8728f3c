// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The kernels run on the simulated device. The heaps of all PEs are its memory.
#include <cstddef>
#include <cstdint>
#include <limits>

#include "nvshmem_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class AtomicTest : public NvshmemSessionTest {
protected:
    /// Returns the element of PE 3.
    template <class Element>
    Element there(TypedBuffer<Element>& target) {
        Element value;
        copy(stream_, std::span(&value, 1), *session_.peer(target, 3));
        stream_.synchronize();
        return value;
    }

    template <class Element>
    void expect_arithmetic(Element first, Element second) {
        auto target = allocate<Element>(1);
        auto old = Device(2).allocate<Element>(stream_, 1);
        atomic_set(session_, stream_, target, first, 3);
        EXPECT_EQ(there(target), first);
        atomic_add(session_, stream_, target, second, 3);
        EXPECT_EQ(there(target), static_cast<Element>(first + second));
        atomic_fetch_add(session_, stream_, old, target, second, 3);
        EXPECT_EQ(old.get(stream_, 0), static_cast<Element>(first + second));
        EXPECT_EQ(there(target), static_cast<Element>(first + second + second));
        atomic_swap(session_, stream_, old, target, second, 3);
        EXPECT_EQ(old.get(stream_, 0), static_cast<Element>(first + second + second));
        atomic_compare_swap(session_, stream_, old, target, first, first, 3);  // it has `second`
        EXPECT_EQ(old.get(stream_, 0), second);
        EXPECT_EQ(there(target), second);
        atomic_compare_swap(session_, stream_, old, target, second, first, 3);
        EXPECT_EQ(there(target), first);
        atomic_fetch(session_, stream_, old, target, 3);
        EXPECT_EQ(old.get(stream_, 0), first);
        EXPECT_EQ(there(target), first);
    }

    template <class Element>
    void expect_bitwise() {
        constexpr auto high = static_cast<Element>(Element{1} << (8 * sizeof(Element) - 2));
        constexpr auto first = static_cast<Element>(high | 12);
        auto target = allocate<Element>(1);
        auto old = Device(2).allocate<Element>(stream_, 1);
        atomic_set(session_, stream_, target, first, 3);
        atomic_or(session_, stream_, target, Element{3}, 3);
        EXPECT_EQ(there(target), static_cast<Element>(high | 15));
        atomic_and(session_, stream_, target, static_cast<Element>(high | 10), 3);
        EXPECT_EQ(there(target), static_cast<Element>(high | 10));
        atomic_xor(session_, stream_, target, Element{6}, 3);
        EXPECT_EQ(there(target), static_cast<Element>(high | 12));
        atomic_fetch_or(session_, stream_, old, target, Element{1}, 3);
        EXPECT_EQ(old.get(stream_, 0), static_cast<Element>(high | 12));
        atomic_fetch_and(session_, stream_, old, target, Element{9}, 3);
        EXPECT_EQ(old.get(stream_, 0), static_cast<Element>(high | 13));
        atomic_fetch_xor(session_, stream_, old, target, Element{1}, 3);
        EXPECT_EQ(old.get(stream_, 0), Element{9});
        EXPECT_EQ(there(target), Element{8});
    }
};

TEST_F(AtomicTest, ComputesWithAllTypes) {
    expect_arithmetic<std::int32_t>(-7, 3);
    expect_arithmetic<std::uint32_t>(std::numeric_limits<std::uint32_t>::max(), 5);
    expect_arithmetic<std::int64_t>(std::numeric_limits<std::int64_t>::min(), -1 + (std::int64_t{1} << 40));
    expect_arithmetic<std::uint64_t>(std::uint64_t{1} << 63, 5);
    expect_arithmetic<float>(1.5f, -0.25f);
    expect_arithmetic<double>(1e100, 3e99);
    expect_bitwise<std::int32_t>();
    expect_bitwise<std::uint32_t>();
    expect_bitwise<std::int64_t>();
    expect_bitwise<std::uint64_t>();
}

TEST_F(AtomicTest, LeavesNeighborsAlone) {
    auto numbers = allocate<std::uint32_t>(3);
    for (std::size_t i = 0; i < 3; ++i) atomic_set(session_, stream_, numbers.subspan(i, 1), 10u, 3);
    atomic_add(session_, stream_, numbers.subspan(1, 1), 1u, 3);
    std::vector<std::uint32_t> values(3);
    copy(stream_, values, *session_.peer(numbers, 3));
    stream_.synchronize();
    EXPECT_EQ(values, (std::vector<std::uint32_t>{10, 11, 10}));
}

TEST_F(AtomicTest, RejectsMistakes) {
    auto numbers = allocate<int>(4);
    auto own = Device(2).allocate<int>(stream_, 2);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { atomic_add(session_, stream_, numbers, 1, 3); }),
                AllOf(HasSubstr("atomic_add"), HasSubstr("4 elements")));
    EXPECT_THROW(atomic_fetch(session_, stream_, own, numbers.first(1), 3), std::invalid_argument);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { atomic_add(session_, stream_, own.first(1), 1, 3); }), HasSubstr("heap"));
    EXPECT_THROW(atomic_add(session_, stream_, numbers.first(1), 1, 4), std::invalid_argument);
    auto bytes = allocate<std::byte>(8);
    const std::span<int> odd(reinterpret_cast<int*>(bytes.span().data() + 2), 1);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { atomic_add(session_, stream_, odd, 1, 3); }), HasSubstr("multiple of 4"));
    stand_in().unreachable_pe = 3;
    EXPECT_THAT(message_of<std::invalid_argument>([&] { atomic_add(session_, stream_, numbers.first(1), 1, 3); }),
                AllOf(HasSubstr("PE 3"), HasSubstr("kernels")));
}

}  // namespace
}  // namespace cubind::testing
