// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Divergence, calls, threads that wait for one another, and launches.
#include <atomic>

#include "control_test.hpp"

namespace cubind::testing::scheduler_tests {
namespace {

using Words = std::vector<std::uint32_t>;

TEST(DivergenceTest, JoinsThreadsBehindABranch) {
    EXPECT_EQ(
        results_of("setp.lt.u32 %p, %lane, 7;\nmov.u32 %a, 1;\n@%p bra OTHER;\nmov.u32 %a, 2;\nbra END;\nOTHER: mov.u32 %a, 3;\n"
                   "END: activemask.b32 %b;\nmul.lo.u32 %d, %b, %a;\nst.global.u32 [%mine], %d;"),
        expected(32, [](std::uint32_t i) { return -(i < 7 ? 3u : 2u); }));
}

TEST(DivergenceTest, JoinsThreadsBehindALoop) {
    EXPECT_EQ(
        results_of("mov.u32 %a, 0;\nmov.u32 %d, 0;\nLOOP: add.u32 %d, %d, %a;\nadd.u32 %a, %a, 1;\nsetp.le.u32 %p, %a, %lane;\n"
                   "@%p bra LOOP;\nactivemask.b32 %b;\nadd.u32 %d, %d, %b;\nst.global.u32 [%mine], %d;"),
        expected(32, [](std::uint32_t i) { return i * (i + 1) / 2 - 1; }));
}

TEST(DivergenceTest, NestsLoopsAndBranches) {
    EXPECT_EQ(results_of("mov.u32 %a, 0;\nmov.u32 %d, 0;\nOUTER: mov.u32 %b, 0;\nINNER: setp.lt.u32 %p, %b, %a;\n@%p bra SKIP;\n"
                         "add.u32 %d, %d, 1;\nSKIP: add.u32 %b, %b, 1;\nsetp.le.u32 %p, %b, %lane;\n@%p bra INNER;\n"
                         "add.u32 %a, %a, 1;\nsetp.le.u32 %p, %a, %lane;\n@%p bra OUTER;\nst.global.u32 [%mine], %d;"),
              expected(32, [](std::uint32_t i) { return (i + 1) * (i + 2) / 2; }));
}

TEST(BranchTest, SelectsATargetByIndex) {
    const std::string body =
        "mov.u32 %a, %lane;\nREDUCE: setp.lt.u32 %p, %a, 3;\n@%p bra GO;\nsub.u32 %a, %a, 3;\nbra REDUCE;\n"
        "GO:\nTABLE: .branchtargets FIRST, SECOND, THIRD;\nbrx.idx %a, TABLE;\n"
        "FIRST: mov.u32 %d, 10;\nbra END;\nSECOND: mov.u32 %d, 20;\nbra END;\nTHIRD: mov.u32 %d, 30;\n"
        "END: activemask.b32 %b;\nadd.u32 %d, %d, %b;\nst.global.u32 [%mine], %d;";
    EXPECT_EQ(results_of(body), expected(32, [](std::uint32_t i) { return 10 * (i % 3) + 9; }));
}

// f(n) = n < 2 ? n : f(n - 1) + f(n - 2), with a different n in each thread.
const char* const fibonacci =
    ".visible .func (.param .b32 result) f(.param .b32 n) {\n.reg .b32 %a, %b, %c;\n.reg .pred %p;\n"
    "ld.param.u32 %a, [n];\nsetp.lt.u32 %p, %a, 2;\n@%p bra END;\nsub.u32 %b, %a, 1;\n"
    "{ .param .b32 x;\n.param .b32 y;\nst.param.b32 [x], %b;\ncall (y), f, (x);\nld.param.b32 %c, [y];\n}\n"
    "sub.u32 %b, %a, 2;\n{ .param .b32 x;\n.param .b32 y;\nst.param.b32 [x], %b;\ncall.uni (y), f, (x);\nld.param.b32 %b, "
    "[y];\n}\n"
    "add.u32 %a, %b, %c;\nEND: st.param.b32 [result], %a;\nret;\n}\n";

std::uint32_t fibonacci_of(std::uint32_t n) {
    return n < 2 ? n : fibonacci_of(n - 1) + fibonacci_of(n - 2);
}

TEST(CallTest, RecursesInDivergentThreads) {
    for (const std::uint64_t seed : {0u, 1u, 2u}) {
        ControlLaunch launch;
        launch.prototype.seed = seed;
        EXPECT_EQ(results_of(
                      "mov.u32 %a, %lane;\nREDUCE: setp.lt.u32 %p, %a, 13;\n@%p bra GO;\nsub.u32 %a, %a, 13;\nbra REDUCE;\n"
                      "GO: { .param .b32 x;\n.param .b32 y;\nst.param.b32 [x], %a;\ncall (y), f, (x);\nld.param.b32 %d, [y];\n}\n"
                      "st.global.u32 [%mine], %d;",
                      launch, fibonacci),
                  expected(32, [](std::uint32_t i) { return fibonacci_of(i % 13); }));
    }
}

TEST(CallTest, CallsThroughPointers) {
    const std::string functions =
        ".func (.param .b32 r) one(.param .b32 v) {\n.reg .b32 %a;\nld.param.u32 %a, [v];\nadd.u32 %a, %a, 1;\nst.param.b32 [r], "
        "%a;\n}\n"
        ".func (.param .b32 r) two(.param .b32 v) {\n.reg .b32 %a;\nld.param.u32 %a, [v];\nadd.u32 %a, %a, 200;\nst.param.b32 "
        "[r], %a;\nret;\n}\n";
    const std::string body =
        "setp.lt.u32 %p, %lane, 11;\nmov.u64 %x, one;\nmov.u64 %y, two;\nselp.b64 %z, %x, %y, %p;\n"
        "{ .param .b32 v;\n.param .b32 r;\nst.param.b32 [v], %lane;\nP: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "call (r), %z, (v), P;\nld.param.b32 %d, [r];\n}\nst.global.u32 [%mine], %d;";
    EXPECT_EQ(results_of(body, {}, functions), expected(32, [](std::uint32_t i) { return i + (i < 11 ? 1 : 200); }));
    std::string wrong = body;
    wrong.replace(wrong.find("mov.u64 %y, two"), 15, "mov.u64 %y, 777");
    const ControlRun run = run_control(control_kernel(wrong, functions));
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_ILLEGAL_INSTRUCTION) << run.result.problem;
    wrong = body;
    wrong.replace(wrong.find("(.param .b32 _);"), 16, "(.param .align 8 .b8 _[512], .param .b32 _);");
    wrong.replace(wrong.find("(v), P"), 6, "(v, v), P");
    const ControlRun other = run_control(control_kernel(wrong, functions));
    EXPECT_EQ(other.result.status, driver::CUDA_ERROR_ILLEGAL_INSTRUCTION);
    EXPECT_NE(other.result.problem.find("prototype"), std::string::npos) << other.result.problem;
}

TEST(CallTest, ReportsAFullStack) {
    const ControlRun run =
        run_control(control_kernel("call g;", ".func g() {\n.local .align 8 .b8 big[100];\ncall g;\nret;\n}\n"));
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_NE(run.result.problem.find("stack"), std::string::npos) << run.result.problem;
}

TEST(CallTest, ReusesFramesOfThreadsThatCallInTurns) {
    // Two halves of a warp call and return at different times, so that one of them is always in a call.
    const std::string function =
        ".func work(.param .b32 n) {\n.reg .b32 %a<400>;\n.reg .pred %p;\nld.param.u32 %a0, [n];\nmov.u32 %a1, 0;\n"
        "L: add.u32 %a1, %a1, 1;\nsetp.lt.u32 %p, %a1, %a0;\n@%p bra L;\nret;\n}\n";
    const std::string loop =
        "mov.u32 %c, 0;\nLABEL: { .param .b32 v;\nst.param.b32 [v], %b;\ncall work, (v);\n}\nadd.u32 %c, %c, 1;\n"
        "setp.lt.u32 %q, %c, 3000;\n@%q bra LABEL;\n";
    std::string first = loop;
    std::string second = loop;
    for (std::size_t at = 0; (at = first.find("LABEL")) != std::string::npos;) first.replace(at, 5, "ONE");
    for (std::size_t at = 0; (at = second.find("LABEL")) != std::string::npos;) second.replace(at, 5, "TWO");
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 16;\nmov.u32 %b, 29;\n@%p bra OTHER;\n" + first +
                             "bra END;\nOTHER: mov.u32 %b, 31;\n" + second + "END: st.global.u32 [%mine], %c;",
                         {}, function),
              Words(32, 3000));
}

// A lock without atomic operations: the ticket of each thread is its number.
std::string ordered_section(const std::string& wait) {
    return "LOOP: ld.volatile.global.u32 %a, [%in];\nsetp.eq.u32 %p, %a, %index;\n@%p bra ENTER;\n" + wait +
           "bra LOOP;\nENTER: ld.volatile.global.u32 %b, [%in+4];\nadd.u32 %b, %b, %index;\nst.volatile.global.u32 [%in+4], %b;\n"
           "add.u32 %a, %a, 1;\nst.volatile.global.u32 [%in], %a;\nst.global.u32 [%mine], %b;";
}

TEST(ProgressTest, LetsThreadsOfAWarpTakeALockInTurn) {
    for (const std::string wait : {"", "nanosleep.u32 100;\n"}) {
        for (const std::uint64_t seed : {0u, 5u}) {
            ControlLaunch launch{.threads = 96};
            launch.prototype.seed = seed;
            EXPECT_EQ(results_of(ordered_section(wait), launch), expected(96, [](std::uint32_t i) { return i * (i + 1) / 2; }));
        }
    }
}

TEST(ProgressTest, LetsBlocksWaitForLaterAndEarlierOnes) {
    for (const unsigned workers : {1u, 3u}) {
        ControlLaunch launch{.blocks = 40, .threads = 1};
        launch.prototype.workers = workers;
        EXPECT_EQ(results_of(ordered_section("nanosleep.u32 20;\n"), launch),
                  expected(40, [](std::uint32_t i) { return i * (i + 1) / 2; }));
        std::string backwards = "sub.u32 %index, 39, %index;\n" + ordered_section("nanosleep.u32 20;\n");
        EXPECT_EQ(results_of(backwards, launch), expected(40, [](std::uint32_t i) { return (39 - i) * (40 - i) / 2; }));
    }
}

TEST(LaunchTest, EndsWhenItIsInterrupted) {
    for (const std::string body : {"LOOP: bra LOOP;", "setp.lt.u32 %p, %lane, 4;\nLOOP: @%p bra LOOP;\nbar.warp.sync -1;"}) {
        for (const unsigned workers : {1u, 2u}) {
            std::atomic<int> calls{0};
            ControlLaunch launch{.blocks = 3, .threads = 64};
            launch.prototype.workers = workers;
            launch.prototype.find_interruption = [&] { return ++calls == 20 ? std::string("the test ends it") : std::string(); };
            const ControlRun run = run_control(control_kernel(body), launch);
            EXPECT_EQ(run.result.status, driver::CUDA_ERROR_LAUNCH_TIMEOUT);
            for (const char* const part : {"kernel test", "the test ends it", "threads from (", " run at PTX line "}) {
                EXPECT_NE(run.result.problem.find(part), std::string::npos) << run.result.problem;
            }
        }
    }
}

// The threads that run first store their number last; the order shows in the memory.
TEST(LaunchTest, RepeatsTheOrderOfASeed) {
    const std::string body =
        "ld.volatile.global.u32 %a, [%in];\nmul.lo.u32 %a, %a, 31;\nadd.u32 %a, %a, %index;\n"
        "st.volatile.global.u32 [%in], %a;\nst.global.u32 [%mine], %a;";
    const auto run = [&](std::uint64_t seed) {
        ControlLaunch launch{.blocks = 20, .threads = 128, .is_compared = false};
        launch.prototype.seed = seed;
        return results_of(body, launch);
    };
    EXPECT_EQ(run(0), run(0));
    EXPECT_EQ(run(7), run(7));
    EXPECT_NE(run(0), run(7));
    EXPECT_NE(run(8), run(7));
}

TEST(LaunchTest, FailsAtTrapAndBreakpoint) {
    for (const std::string instruction : {"trap", "brkpt"}) {
        const ControlRun run = run_control(control_kernel("setp.eq.u32 %p, %lane, 6;\n@%p " + instruction + ";"));
        EXPECT_EQ(run.result.status, driver::CUDA_ERROR_LAUNCH_FAILED);
        EXPECT_NE(run.result.problem.find(instruction), std::string::npos) << run.result.problem;
        EXPECT_NE(run.result.problem.find("(6, 0, 0)"), std::string::npos) << run.result.problem;
    }
    EXPECT_EQ(results_of("pmevent 3;\npmevent.mask 12;\ngriddepcontrol.wait;\ngriddepcontrol.launch_dependents;\n"
                         "st.global.u32 [%mine], 1;"),
              Words(32, 1));
}

}  // namespace
}  // namespace cubind::testing::scheduler_tests
