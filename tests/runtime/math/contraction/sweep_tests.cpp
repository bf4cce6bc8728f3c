// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Each call of cuTENSOR and of the driver that a contraction makes, failing once.
#include <cstddef>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "contraction_test.hpp"

namespace cubind::testing {
namespace {

/// A release that fails before it reaches the stand-in leaves its counts. Memory is freed without a wait if nobody knows whether
/// the stream is capturing.
class ContractionSweepTest : public ContractionTest {
protected:
    static std::size_t sweep(const std::function<void()>& operation) {
        const std::size_t calls = CoreTest::sweep(operation, {"cuStreamIsCapturing"});
        stand_in().objects = 0;
        return calls;
    }
};

TEST_F(ContractionSweepTest, OfTwoOperands) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    EXPECT_GT(sweep([&] {
                  const math::Contraction product(stream_, "ij,jk->ik", a, a, d, {.kernel_rank = 1});
                  product(stream_, a, a, d);
                  product(stream_, a, a, d, {.beta = 1});
              }),
              15u);
}

TEST_F(ContractionSweepTest, OfThreeOperandsInTwoStreams) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    const Stream other{Device(0)};
    EXPECT_GT(sweep([&] {
                  const math::Contraction product(stream_, "ij,jk,kl->il", a, a, a, d);
                  product(stream_, a, a, a, d);
                  product(other, a, a, a, d);
              }),
              20u);
}

TEST_F(ContractionSweepTest, OfTuningAndStoredPlans) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    const std::string file = std::filesystem::temp_directory_path() / ("cubind_plans." + std::to_string(::getpid()));
    EXPECT_GT(sweep([&] {
                  math::Contraction product(stream_, "ij,jk->ik", a, a, d);
                  product.autotune(stream_, a, a, d, {.candidates = 1, .rounds = 1, .calls = 1});
                  math::save_contraction_plans(Device(0), file);
                  EXPECT_EQ(math::load_contraction_plans(Device(0), file), 3u);
              }),
              20u);
    std::filesystem::remove(file);
}

TEST_F(ContractionSweepTest, OfSumsOfNoElements) {
    const StridedView a = tensor({2, 0}), b = tensor({0, 2}), d = tensor({2, 2});
    sweep([&] { math::contract(stream_, "ij,jk->ik", a, b, d); });
}

TEST_F(ContractionSweepTest, OfTheHandle) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    stand_in().next_status = static_cast<int>(cutensor::CUTENSOR_STATUS_ARCH_MISMATCH);
    EXPECT_THAT(message_of<Error>([&] { math::contract(stream_, "ij,jk->ik", a, a, d); }),
                ::testing::AllOf(::testing::HasSubstr("cutensorCreate"), ::testing::HasSubstr("newer")));
    math::contract(stream_, "ij,jk->ik", a, a, d);
}

}  // namespace
}  // namespace cubind::testing
