// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of libcudadevrt.a for the group of all threads of a cooperative launch. An H100 gives the same results.
#include <string>

#include "control_test.hpp"

namespace cubind::testing::grid_group_tests {
namespace {

constexpr std::uint32_t unknown_error = 999;

// The functions, as a module declares them that was linked with the library.
constexpr const char* declarations = R"(.pragma "cubind_device_runtime";
.extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.extern .func (.param .b32 r) cudaCGSynchronizeGrid(.param .b64 handle, .param .b32 flags);
.extern .func (.param .b32 r) cudaCGGetSize(.param .b64 threads, .param .b64 grids, .param .b64 handle);
.extern .func (.param .b32 r) cudaCGGetRank(.param .b64 thread, .param .b64 grid, .param .b64 handle);
)";

// Writes the handle of a scope to %x.
std::string get_handle(int scope = 1) {
    return "{ .param .b32 s;\n.param .b64 r;\nst.param.b32 [s], " + std::to_string(scope) +
           ";\ncall.uni (r), cudaCGGetIntrinsicHandle, (s);\nld.param.b64 %x, [r];\n}\n";
}

// Synchronizes the group of handle %x. The status is in %a.
std::string synchronize(const std::string& function = "cudaCGSynchronize", unsigned flags = 0) {
    return "{ .param .b64 h;\n.param .b32 f;\n.param .b32 r;\nst.param.b64 [h], %x;\nst.param.b32 [f], " + std::to_string(flags) +
           ";\ncall.uni (r), " + function + ", (h, f);\nld.param.b32 %a, [r];\n}\n";
}

// Calls a function that writes two numbers, to the addresses in %y and %z, for the group of handle %x. The status is in %a.
std::string get_numbers(const std::string& function) {
    return "{ .param .b64 p;\n.param .b64 q;\n.param .b64 h;\n.param .b32 r;\nst.param.b64 [p], %y;\nst.param.b64 [q], %z;\n"
           "st.param.b64 [h], %x;\ncall.uni (r), " +
           function + ", (p, q, h);\nld.param.b32 %a, [r];\n}\n";
}

ControlLaunch launch_of(unsigned blocks, unsigned threads, bool is_cooperative, std::uint64_t seed = 0, unsigned workers = 1) {
    ControlLaunch launch{.blocks = blocks, .threads = threads, .is_compared = false};
    launch.prototype.is_cooperative = is_cooperative;
    launch.prototype.seed = seed;
    launch.prototype.workers = workers;
    return launch;
}

// In each of three rounds, each thread reads what the thread at the other end of the grid wrote in the round before.
std::string rounds(const std::string& function) {
    const std::string exchange = "ld.global.u32 %b, [%y];\n" + synchronize(function) + "add.u32 %e, %e, %a;\n" +
                                 "add.u32 %b, %b, 1;\nst.global.u32 [%mine], %b;\n" + synchronize(function) +
                                 "add.u32 %e, %e, %a;\n";
    return get_handle() +
           "mov.b32 %e, 0;\nst.global.u32 [%mine], %index;\nmov.u32 %c, %nctaid.x;\nmul.lo.u32 %c, %c, %threads;\n"
           "sub.u32 %c, %c, 1;\nsub.u32 %c, %c, %index;\nmul.wide.u32 %y, %c, 4;\nadd.s64 %y, %out, %y;\n" +
           synchronize(function) + exchange + exchange + exchange + "mad.lo.u32 %b, %e, 10000, %b;\nst.global.u32 [%mine], %b;\n";
}

TEST(GridGroupTest, SynchronizesAllBlocks) {
    for (const char* const function : {"cudaCGSynchronize", "cudaCGSynchronizeGrid"}) {
        for (const std::uint64_t seed : {0u, 1u, 7u}) {
            for (const unsigned workers : {1u, 4u}) {
                EXPECT_EQ(results_of(rounds(function), launch_of(5, 96, true, seed, workers), declarations),
                          expected(480, [](std::uint32_t index) { return 479 - index + 3; }))
                    << function << ", seed " << seed << ", workers " << workers;
            }
        }
    }
}

TEST(GridGroupTest, SynchronizesThreadsThatCallSeparately) {
    const std::string body = get_handle() +
                             "st.global.u32 [%mine], %index;\nand.b32 %b, %index, 1;\nsetp.eq.u32 %p, %b, 0;\n@%p bra EVEN;\n" +
                             synchronize() + "bra JOIN;\nEVEN:\n" + synchronize() +
                             "JOIN:\nld.global.u32 %b, [%out + 252];\nadd.u32 %b, %b, %a;\nst.global.u32 [%mine], %b;\n";
    // The thread that writes the last word is in the second block.
    EXPECT_EQ(results_of(body, launch_of(2, 32, true), declarations), expected(64, [](std::uint32_t) { return 63; }));
}

TEST(GridGroupTest, DoesNotWaitForThreadsThatHaveEnded) {
    const std::string body = "setp.lt.u32 %p, %lane, 3;\n@%p ret;\n" + get_handle() + synchronize() +
                             "add.u32 %a, %a, 5;\nst.global.u32 [%mine], %a;\n";
    EXPECT_EQ(results_of(body, launch_of(3, 64, true), declarations),
              expected(192, [](std::uint32_t index) { return index % 32 < 3 ? 0 : 5; }));
}

TEST(GridGroupTest, HasNoHandleOfOtherScopesAndLaunches) {
    const auto has_handle = [](int scope, bool is_cooperative) {
        const std::string body =
            get_handle(scope) + "setp.ne.u64 %p, %x, 0;\nselp.u32 %a, 1, 0, %p;\nst.global.u32 [%mine], %a;\n";
        return results_of(body, launch_of(1, 1, is_cooperative), declarations)[0] != 0;
    };
    EXPECT_TRUE(has_handle(1, true));
    EXPECT_FALSE(has_handle(0, true));
    EXPECT_FALSE(has_handle(2, true));
    EXPECT_FALSE(has_handle(1, false));
}

TEST(GridGroupTest, ReturnsAnErrorForAHandleOfNoGroup) {
    for (const char* const handle : {"0", "1", "2"}) {
        const std::string body = std::string("mov.b64 %x, ") + handle + ";\n" + synchronize() + "st.global.u32 [%mine], %a;\n";
        for (const bool is_cooperative : {true, false})
            EXPECT_EQ(results_of(body, launch_of(2, 32, is_cooperative), declarations),
                      expected(64, [](std::uint32_t) { return unknown_error; }));
    }
    const std::string some =
        get_handle() + "setp.lt.u32 %p, %lane, 8;\n@%p mov.b64 %x, 0;\n" + synchronize() + "st.global.u32 [%mine], %a;\n";
    EXPECT_EQ(results_of(some, launch_of(2, 16, true), declarations),
              expected(32, [](std::uint32_t index) { return index % 16 < 8 ? unknown_error : 0; }));
}

TEST(GridGroupTest, HasASizeAndRanks) {
    const std::string pointers = "mov.b64 %y, %mine;\nmov.b64 %z, %in;\n";
    const ControlRun sizes = run_control(
        control_kernel(get_handle() + pointers + get_numbers("cudaCGGetSize") + "st.global.u32 [%in + 4], %a;\n", declarations),
        launch_of(4, 64, true));
    EXPECT_EQ(sizes.out, expected(256, [](std::uint32_t) { return 256; }));
    EXPECT_EQ(sizes.in[0], 1u);
    EXPECT_EQ(sizes.in[1], 0u);
    const ControlRun ranks =
        run_control(control_kernel(get_handle() + pointers + get_numbers("cudaCGGetRank"), declarations), launch_of(4, 64, true));
    EXPECT_EQ(ranks.out, expected(256, [](std::uint32_t index) { return index; }));
    EXPECT_EQ(ranks.in[0], 1u);
    const std::string nowhere = "mov.b64 %y, 0;\nmov.b64 %z, 0;\n";
    EXPECT_EQ(results_of(get_handle() + nowhere + get_numbers("cudaCGGetRank") + "st.global.u32 [%mine], %a;\n",
                         launch_of(1, 32, true), declarations),
              std::vector<std::uint32_t>(32));
    const ControlRun without =
        run_control(control_kernel("st.global.u32 [%mine], 77;\n" + get_handle() + "mov.b64 %y, %mine;\nmov.b64 %z, 0;\n" +
                                       get_numbers("cudaCGGetSize") +
                                       "ld.global.u32 %b, [%mine];\nadd.u32 %a, %a, %b;\nst.global.u32 [%mine], %a;\n",
                                   declarations),
                    launch_of(2, 32, false));
    EXPECT_EQ(without.out, expected(64, [](std::uint32_t) { return unknown_error; })) << "without a group, the numbers are 0";
}

}  // namespace
}  // namespace cubind::testing::grid_group_tests
