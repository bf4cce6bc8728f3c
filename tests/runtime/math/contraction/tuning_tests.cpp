// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <unistd.h>

#include "contraction_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using std::chrono_literals::operator""ms;

class ContractionTuningTest : public ContractionTest {
protected:
    StridedView a_ = tensor({2, 2}), b_ = tensor({2, 2}), d_ = tensor({2, 2});
};

TEST_F(ContractionTuningTest, KeepsTheFastestCandidate) {
    stand_in().delays = {{1, 30ms}, {2, 20ms}, {3, 1ms}, {4, 20ms}};
    math::Contraction product(stream_, "ij,jk->ik", a_, b_, d_);
    const math::ContractionTuning tuning = product.autotune(stream_, a_, b_, d_, {.candidates = 3, .rounds = 1, .calls = 1});
    EXPECT_EQ(tuning.candidates, 3);
    EXPECT_GE(tuning.before, 25ms);
    EXPECT_LT(tuning.after, tuning.before);
    EXPECT_EQ(latest("plan"), "plan algorithm=-1 jit=0 0=1 2=3 limit=4096");
    EXPECT_THAT(stand_in().lines("contract plan=3"), SizeIs(3)) << "a run that is not timed, one, and one beside the first plan";
    EXPECT_THAT(latest("contract "), Not(HasSubstr("d=" + address(d_)))) << "the output is not written";
    EXPECT_THAT(latest("contract "), AllOf(HasSubstr("a=" + address(a_)), HasSubstr("beta=(0,0)")));
    product(stream_, a_, b_, d_);
    EXPECT_THAT(latest("contract "), AllOf(HasSubstr("plan=3"), HasSubstr("d=" + address(d_))));
    EXPECT_EQ(stand_in().objects, 5) << "three descriptors of tensors, one of the contraction, and one plan";
}

TEST_F(ContractionTuningTest, KeepsThePlanIfNoCandidateIsFaster) {
    stand_in().delays = {{2, 20ms}, {3, 20ms}};
    const StridedView c = tensor({2, 2});
    math::Contraction chain(stream_, "ij,jk,kl->il", a_, b_, c, d_);
    EXPECT_EQ(chain.autotune(stream_, a_, b_, c, d_, {.candidates = 2, .rounds = 1, .calls = 1}).candidates, 2);
    chain(stream_, a_, b_, c, d_);
    EXPECT_THAT(latest("contract "), HasSubstr("plan=1 "));
}

TEST_F(ContractionTuningTest, LeavesOutCandidatesForWhichThereIsNoMemory) {
    math::Contraction product(stream_, "ij,jk->ik", a_, b_, d_);
    stand_in().workspace = std::uint64_t{64} << 30;  // of the candidates
    const math::ContractionTuning tuning = product.autotune(stream_, a_, b_, d_, {.candidates = 2});
    EXPECT_EQ(tuning.candidates, 0);
    EXPECT_EQ(tuning.after, tuning.before);
    product(stream_, a_, b_, d_);
    EXPECT_THAT(latest("contract "), HasSubstr("plan=1 "));
}

TEST_F(ContractionTuningTest, RefusesMisuse) {
    math::Contraction product(stream_, "ij,jk->ik", a_, b_, d_);
    const auto refused = [&](StreamRef stream, const StridedView& b, const math::AutotuneOptions& options) {
        return message_of<std::invalid_argument>([&] { product.autotune(stream, a_, b, d_, options); });
    };
    EXPECT_THAT(refused(stream_, b_, {.candidates = 0}), HasSubstr("0 candidates"));
    EXPECT_THAT(refused(stream_, b_, {.rounds = -1}), HasSubstr("-1 rounds"));
    EXPECT_THAT(refused(stream_, b_.transpose(), {}), HasSubstr("strides (1, 2)"));
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    EXPECT_THAT(refused(builder, b_, {}), HasSubstr("captured"));
    builder.end_building();
}

TEST_F(ContractionTuningTest, StoresPlans) {
    const auto content = [](const fs::path& file) {
        std::string text;
        std::ifstream(file) >> text;
        return text;
    };
    const fs::path folder = fs::temp_directory_path() / ("cubind_contractions." + std::to_string(::getpid()));
    fs::create_directory(folder);
    const std::string file = folder / "plans";
    math::save_contraction_plans(Device(0), file);
    EXPECT_EQ(content(file), "plans");
    std::ofstream(file) << "old";
    stand_in().next_status = static_cast<int>(cutensor::CUTENSOR_STATUS_IO_ERROR);
    EXPECT_THAT(message_of<Error>([&] { math::save_contraction_plans(Device(0), file); }), HasSubstr("The file is " + file));
    EXPECT_EQ(content(file), "old");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
    EXPECT_THAT(message_of<std::system_error>([&] { math::save_contraction_plans(Device(0), file + "/none"); }),
                HasSubstr("save_contraction_plans cannot write"));
    fs::remove_all(folder);
    EXPECT_EQ(math::load_contraction_plans(Device(0), "/a/file"), 3u);
    EXPECT_EQ(latest("read"), "read /a/file");
    stand_in().next_status = static_cast<int>(cutensor::CUTENSOR_STATUS_IO_ERROR);
    EXPECT_THAT(message_of<Error>([] { (void)math::load_contraction_plans(Device(0), "/a/file"); }),
                HasSubstr("The file is /a/file."));
}

}  // namespace
}  // namespace cubind::testing
