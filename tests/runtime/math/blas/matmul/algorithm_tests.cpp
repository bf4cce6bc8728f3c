// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Algorithms: searched, timed, stored, and used again.
#include <cubind/math/matmul.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "matmul_test.hpp"

namespace cubind::testing {
namespace {

using namespace cublaslt;
using ::testing::AllOf;
using ::testing::HasSubstr;

class MatmulAlgorithmTest : public MatmulTest {
protected:
    math::Matmul plan(const math::MatmulOptions& options = {}) { return math::Matmul(stream_, a_, b_, d_, options); }
    /// Makes algorithm 2 the fastest.
    static void make_last_fastest() { stand_in().microseconds = {{0, 300}, {1, 300}, {2, 0}}; }
};

TEST_F(MatmulAlgorithmTest, AreSearchedWithinTheLimits) {
    math::Matmul product = plan({.plan = {.workspace_limit = 4096}});
    EXPECT_EQ(stand_in().preferences[CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES], 4096u);
    EXPECT_EQ(stand_in().preferences[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES], 16u);
    EXPECT_EQ(stand_in().requested, 1);
    const auto all = product.heuristics(5);
    EXPECT_EQ(stand_in().requested, 5);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0], product.algorithm());
    EXPECT_FALSE(all[0] == all[1]);
    EXPECT_EQ(all[2].workspace_size(), 4096u);
    EXPECT_EQ(all[2].library_version(), 130100u);
    EXPECT_EQ(all[2].waves(), 0.5f);
    EXPECT_THAT(all[2].problem(), AllOf(HasSubstr("a is float32 (64, 80)"), HasSubstr("sm_")));
    const StridedView part = matrix({65 * 80}).slice(0, 1, 64 * 80 + 1).reshape({64, 80});
    const math::Matmul unaligned(stream_, part, b_, d_);
    EXPECT_EQ(stand_in().preferences[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES], 16u);  // of b
    EXPECT_EQ(stand_in().preferences[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES], 4u);
    const math::Matmul strict(stream_, a_, b_, d_, {.max_alignment = 256});
    EXPECT_EQ(stand_in().preferences[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES], 256u);
    EXPECT_THAT(message([&] { math::Matmul refused(stream_, a_, b_, d_, {.max_alignment = 48}); }), HasSubstr("is 48"));
    EXPECT_THAT(message([&] { (void)product.heuristics(0); }), HasSubstr("0"));
    stand_in().workspaces.clear();
    EXPECT_THAT(message([&] { (void)plan(); }), AllOf(HasSubstr("no algorithm"), HasSubstr("(64, 80)")));
}

TEST_F(MatmulAlgorithmTest, AreTimedAndTheFastestIsKept) {
    make_last_fastest();
    math::Matmul product = plan();
    const auto timed = product.autotune(stream_, a_, b_, d_, {}, {.candidates = 8, .rounds = 3, .calls = 2});
    EXPECT_EQ(stand_in().requested, 8);
    ASSERT_EQ(timed.size(), 3u);
    EXPECT_EQ(stand_in().products.size(), 3u * (1 + 2) + 2 * (2 * 2) + 2 * 3 * 2)
        << "the slowest is timed once, and two of them again";
    EXPECT_EQ(timed[0].algorithm, product.algorithm());
    EXPECT_EQ(timed[0].algorithm, product.heuristics()[2]);
    EXPECT_LT(timed[0].time, timed[1].time);
    EXPECT_GE(timed[1].time, std::chrono::microseconds(300));
    product(stream_, a_, b_, d_);
    EXPECT_EQ(latest().algorithm, 2u);
    EXPECT_EQ(latest().workspace_size, 4096u);
}

TEST_F(MatmulAlgorithmTest, KeepTheLibrarysChoiceIfTheDifferenceIsNoise) {
    stand_in().microseconds = {{0, 2000}, {1, 2000}, {2, 2000}};
    stand_in().workspaces = {0, 0, 0};
    math::Matmul product = plan();
    const math::MatmulAlgorithm first = product.algorithm();
    // One of them is the fastest by chance, which is hardly ever by 1 %.
    for (int i = 0; i < 5; ++i) {
        const auto timed = product.autotune(stream_, a_, b_, d_, {}, {.rounds = 1, .calls = 1});
        const auto its = std::find_if(timed.begin(), timed.end(), [&](const auto& each) { return each.algorithm == first; });
        ASSERT_NE(its, timed.end());
        EXPECT_TRUE(its == timed.begin() || timed.front().time < 0.99f * its->time);
        EXPECT_EQ(timed.front().algorithm, product.algorithm());
    }
}

TEST_F(MatmulAlgorithmTest, AreTimedOnACopyIfTheResultIsAdded) {
    math::Matmul product = plan();
    (void)product.autotune(stream_, a_, b_, d_, {.beta = 1}, {.rounds = 1, .calls = 1});
    EXPECT_NE(latest().d_data, d_.data());
    EXPECT_EQ(latest().c_data, latest().d_data);
    (void)product.autotune(stream_, a_, b_, d_, {}, {.rounds = 1, .calls = 1});
    EXPECT_EQ(latest().d_data, d_.data());
    const StridedView c = matrix({64, 48});
    (void)product.autotune(stream_, a_, b_, d_, {.beta = 1, .c = c}, {.rounds = 1, .calls = 1});
    EXPECT_EQ(latest().d_data, d_.data());
    EXPECT_EQ(latest().c_data, c.data());
}

TEST_F(MatmulAlgorithmTest, LeaveThePlanAsItWasIfMemoryIsExhausted) {
    make_last_fastest();
    math::Matmul product = plan();
    const math::MatmulAlgorithm before = product.algorithm();
    stand_in().workspaces = {1024, 0, std::size_t{1} << 60};
    EXPECT_THAT(message_of<OutOfMemory>([&] { (void)product.autotune(stream_, a_, b_, d_); }),
                AllOf(HasSubstr("1152921504606846976 bytes"), HasSubstr("workspace_limit")));
    EXPECT_EQ(product.algorithm(), before);
    stand_in().status = CUBLAS_STATUS_EXECUTION_FAILED;
    stand_in().workspaces = {1024, 0, 64};
    EXPECT_THAT(message_of<Error>([&] { (void)product.autotune(stream_, a_, b_, d_); }), HasSubstr("cublasLtMatmul"));
    EXPECT_EQ(product.algorithm(), before);
    stand_in().status = 0;
    product(stream_, a_, b_, d_);
    EXPECT_EQ(latest().algorithm, 0u);
}

TEST_F(MatmulAlgorithmTest, AreStoredAndUsedAgain) {
    make_last_fastest();
    math::Matmul tuned = plan();
    (void)tuned.autotune(stream_, a_, b_, d_, {}, {.rounds = 1});
    const std::vector<std::byte> bytes = tuned.algorithm().to_bytes();
    const auto stored = math::MatmulAlgorithm::from_bytes(bytes);
    EXPECT_EQ(stored, tuned.algorithm());
    EXPECT_EQ(stored.workspace_size(), 4096u);
    math::Matmul other = plan();
    other.use(stored);
    other(stream_, a_, b_, d_);
    EXPECT_EQ(latest().algorithm, 2u);
    EXPECT_EQ(other.algorithm(), stored);
}

TEST_F(MatmulAlgorithmTest, OfOtherVersionsProblemsAndLimitsAreRefused) {
    const auto stored = plan().heuristics()[2];
    math::Matmul small = plan({.plan = {.workspace_limit = 1024}});
    EXPECT_THAT(message([&] { small.use(stored); }), AllOf(HasSubstr("4096"), HasSubstr("1024")));
    math::Matmul relu = plan({.epilogue = math::Epilogue::relu});
    EXPECT_THAT(message([&] { relu.use(stored); }), AllOf(HasSubstr("epilogue none"), HasSubstr("epilogue relu")));
    math::Matmul taller(stream_, matrix({65, 80}), b_, matrix({65, 48}));
    EXPECT_THAT(message([&] { taller.use(stored); }), AllOf(HasSubstr("(64, 80)"), HasSubstr("(65, 80)")));
    stand_in().version = 130200;
    math::Matmul newer = plan();
    EXPECT_THAT(message([&] { newer.use(stored); }), AllOf(HasSubstr("130100"), HasSubstr("130200")));
    stand_in().version = 130100;
    math::Matmul again = plan();
    stand_in().workspaces.resize(1);
    EXPECT_THAT(message_of<Error>([&] { again.use(stored); }), HasSubstr("cublasLtMatmulAlgoCheck"));
}

TEST_F(MatmulAlgorithmTest, AreNotReadFromDamagedBytes) {
    const std::vector<std::byte> bytes = plan().algorithm().to_bytes();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW((void)math::MatmulAlgorithm::from_bytes(std::span(bytes).first(size)), std::invalid_argument) << size;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::vector<std::byte> damaged = bytes;
        damaged[i] ^= std::byte{0x10};
        EXPECT_THROW((void)math::MatmulAlgorithm::from_bytes(damaged), std::invalid_argument) << i;
    }
    std::vector<std::byte> longer = bytes;
    longer.push_back(std::byte{0});
    EXPECT_THAT(message([&] { (void)math::MatmulAlgorithm::from_bytes(longer); }), HasSubstr("checksum"));
}

}  // namespace
}  // namespace cubind::testing
