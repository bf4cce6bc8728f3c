// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "control_test.hpp"

namespace cubind::testing::barrier_tests {
namespace {

constexpr auto sum_of_first = [](std::uint32_t count) { return count * (count - 1) / 2; };

// Each thread stores its index in shared memory, waits, and reads that of the thread at the other end of the block.
std::string reversal(const std::string& barrier) {
    return "mul.wide.u32 %x, %index, 4;\nmov.u64 %y, memory;\nadd.s64 %x, %x, %y;\nst.shared.u32 [%x], %index;\n" + barrier +
           "sub.u32 %a, %threads, %index;\nsub.u32 %a, %a, 1;\nmul.wide.u32 %x, %a, 4;\nadd.s64 %x, %x, %y;\n"
           "ld.shared.u32 %d, [%x];\nst.global.u32 [%mine], %d;";
}
const char* const shared_memory = ".shared .align 4 .b8 memory[4096];\n";

TEST(BarrierTest, WaitsForAllThreadsOfTheBlock) {
    for (const std::string barrier : {"bar.sync 0;", "bar.cta.sync 15;", "barrier.sync 3;", "barrier.cta.sync.aligned 0;",
                                      "mov.u32 %b, 7;\nbarrier.cta.sync %b;", "mov.u32 %b, 7;\nbar.sync %b, %threads;"}) {
        EXPECT_EQ(results_of(reversal(barrier + '\n'), {.threads = 256}, shared_memory),
                  expected(256, [](std::uint32_t i) { return 255 - i; }))
            << barrier;
    }
}

TEST(BarrierTest, CountsWholeWarps) {
    // The last warp has 8 threads, and counts as 32.
    EXPECT_EQ(results_of(reversal("bar.sync 1, 96;\n"), {.threads = 72}, shared_memory),
              expected(72, [](std::uint32_t i) { return 71 - i; }));
    // Threads of a warp that have ended count together with the others.
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 3;\n@%p exit;\nbar.sync 1, 64;\nmov.u32 %d, 5;\nst.global.u32 [%mine], %d;",
                         {.threads = 64}),
              expected(64, [](std::uint32_t i) { return i % 32 < 3 ? 0 : 5; }));
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 3;\n@!%p bra WAIT;\nmov.u32 %a, 0;\nLOOP: add.u32 %a, %a, 1;\n"
                         "setp.lt.u32 %q, %a, 2000;\n@%q bra LOOP;\nexit;\n"
                         "WAIT: barrier.sync 1, 64;\nmov.u32 %d, 5;\nst.global.u32 [%mine], %d;",
                         {.threads = 64}),
              expected(64, [](std::uint32_t i) { return i % 32 < 3 ? 0 : 5; }));
}

TEST(BarrierTest, DoesNotWaitForThreadsThatHaveEnded) {
    EXPECT_EQ(results_of("setp.ge.u32 %p, %index, 70;\n@%p exit;\nbar.sync 0;\nst.global.u32 [%mine], 4;", {.threads = 128}),
              expected(128, [](std::uint32_t i) { return i >= 70 ? 0 : 4; }));
}

TEST(BarrierTest, ReducesPredicates) {
    for (const std::string name : {"bar", "bar.cta", "barrier", "barrier.cta"}) {
        for (const std::string count : {"", "128, "}) {
            for (const std::string predicate : {"%p", "!%p"}) {
                for (const unsigned limit : {0u, 1u, 77u, 128u}) {
                    const unsigned yes = predicate == "%p" ? limit : 128 - limit;
                    const std::string set = "setp.lt.u32 %p, %index, " + std::to_string(limit) + ";\n";
                    const std::string operands = ", 2, " + count + predicate + ";\n";
                    const std::string store = "st.global.u32 [%mine], %d;";
                    const auto all = [](std::uint32_t value) { return std::vector<std::uint32_t>(128, value); };
                    const ControlLaunch launch{.threads = 128};
                    EXPECT_EQ(results_of(set + name + ".red.popc.u32 %d" + operands + store, launch), all(yes));
                    EXPECT_EQ(results_of(set + name + ".red.and.pred %q" + operands + "selp.b32 %d, 1, 2, %q;\n" + store, launch),
                              all(yes == 128 ? 1 : 2));
                    EXPECT_EQ(results_of(set + name + ".red.or.pred %q" + operands + "selp.b32 %d, 1, 2, %q;\n" + store, launch),
                              all(yes > 0 ? 1 : 2));
                }
            }
        }
    }
    EXPECT_EQ(results_of("barrier.red.popc.aligned.u32 %d, 0, 1;\nst.global.u32 [%mine], %d;", {.threads = 40}),
              std::vector<std::uint32_t>(40, 40));
}

TEST(BarrierTest, StartsEachReductionAnew) {
    EXPECT_EQ(
        results_of("mov.u32 %a, 0;\nmov.u32 %d, 0;\nLOOP: setp.le.u32 %p, %index, %a;\nbar.red.popc.u32 %b, 0, %p;\n"
                   "add.u32 %d, %d, %b;\nadd.u32 %a, %a, 1;\nsetp.lt.u32 %q, %a, 64;\n@%q bra LOOP;\nst.global.u32 [%mine], %d;",
                   {.threads = 64}),
        std::vector<std::uint32_t>(64, sum_of_first(65)));
}

TEST(BarrierTest, LetsProducersGoOn) {
    // One warp stores and arrives, the other one waits; then the other way round.
    const std::string body =
        "mov.u64 %y, memory;\nmul.wide.u32 %x, %lane, 4;\nadd.s64 %x, %x, %y;\nsetp.lt.u32 %p, %index, 32;\nmov.u32 %a, 0;\n"
        "mov.u32 %d, 0;\n@%p bra PRODUCE;\n"
        "CONSUME: barrier.sync 1, 64;\nld.shared.u32 %b, [%x];\nadd.u32 %d, %d, %b;\nbarrier.arrive 2, 64;\nadd.u32 %a, %a, 1;\n"
        "setp.lt.u32 %q, %a, 50;\n@%q bra CONSUME;\nst.global.u32 [%mine], %d;\nret;\n"
        "PRODUCE: add.u32 %b, %a, %lane;\nst.shared.u32 [%x], %b;\nbar.arrive 1, 64;\nbar.sync 2, 64;\nadd.u32 %a, %a, 1;\n"
        "setp.lt.u32 %q, %a, 50;\n@%q bra PRODUCE;";
    EXPECT_EQ(results_of(body, {.threads = 64}, shared_memory),
              expected(64, [](std::uint32_t i) { return i < 32 ? 0 : sum_of_first(50) + 50 * (i - 32); }));
}

// An H200 rejects the instruction if threads of a warp name different barriers.
TEST(BarrierTest, SeparatesThreadsThatNameDifferentBarriers) {
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 16;\nselp.b32 %a, 1, 2, %p;\nbarrier.red.popc.u32 %d, %a, 32, 1;\n"
                         "st.global.u32 [%mine], %d;",
                         {.threads = 64, .is_compared = false}),
              std::vector<std::uint32_t>(64, 32));
}

TEST(BarrierTest, CountsThreadsOfDivergentBranches) {
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 5;\nmov.u32 %d, 1;\n@%p bra OTHER;\nbarrier.sync 0;\nbra END;\n"
                         "OTHER: barrier.sync 0;\nmov.u32 %d, 2;\nEND: st.global.u32 [%mine], %d;",
                         {.threads = 96}),
              expected(96, [](std::uint32_t i) { return i % 32 < 5 ? 2 : 1; }));
}

TEST(BarrierTest, RejectsAWrongNumberOfThreads) {
    const auto fails = [](const std::string& body, const std::string& value) {
        const ControlRun run = run_control(control_kernel(body), {.threads = 64});
        EXPECT_EQ(run.result.status, driver::CUDA_ERROR_ILLEGAL_INSTRUCTION) << body;
        EXPECT_NE(run.result.problem.find(value), std::string::npos) << run.result.problem;
    };
    fails("mov.u32 %a, 48;\nbar.sync 0, %a;", "48");
    fails("mov.u32 %a, 33;\nbar.arrive 0, %a;", "33");
    fails("mov.u32 %a, 0;\nbar.arrive 0, %a;", "barrier 0");
    fails("mov.u32 %a, 1;\nbar.red.popc.u32 %b, 0, %a, %p;", " 1 ");
    fails("mov.u32 %a, 16;\nbarrier.sync %a;", "16");
}

TEST(BarrierTest, NamesTheThreadsOfADeadlock) {
    // Half of a warp waits at one barrier, the other half at another one.
    const ControlRun run = run_control(
        control_kernel("setp.lt.u32 %p, %lane, 16;\n@%p bra OTHER;\nbar.sync 1;\nret;\nOTHER: bar.sync 2;"), {.threads = 64});
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_LAUNCH_TIMEOUT);
    for (const char* const part : {"deadlock", "barrier 1", "barrier 2", "16 threads", "(16, 0, 0)", "PTX line"}) {
        EXPECT_NE(run.result.problem.find(part), std::string::npos) << part << " in " << run.result.problem;
    }
}

}  // namespace
}  // namespace cubind::testing::barrier_tests
