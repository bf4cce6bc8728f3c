// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Special registers, and functions that device code calls by name.
#include <chrono>
#include <cmath>
#include <functional>

#include "control_test.hpp"
#include "ptx/forms/form.hpp"
#include "ptx/handlers/control/control.hpp"
#include "ptx/handlers/families.hpp"

namespace cubind::testing::builtin_tests {
namespace {

using Words = std::vector<std::uint32_t>;

Words read_register(const std::string& name, ControlLaunch launch = {}) {
    for (const std::string of_machine : {"smid", "envreg", "globaltimer", "warpid"}) {
        if (name.find(of_machine) != std::string::npos) launch.is_compared = false;
    }
    return results_of("mov.u32 %d, " + name + ";\nst.global.u32 [%mine], %d;", launch);
}

TEST(SpecialRegisterTest, ReadsIndicesAndSizes) {
    const ControlLaunch launch{.blocks = 3, .threads = 40};
    const auto of_thread = [&](const std::string& name, auto function) {
        EXPECT_EQ(read_register(name, launch), expected(120, [&](std::uint32_t i) { return function(i % 40, i / 40); })) << name;
        if (!name.starts_with("%tid") && !name.starts_with("%ctaid")) return;
        EXPECT_EQ(results_of("mov.u16 %s, " + name + ";\nst.global.u16 [%mine], %s;", launch),
                  expected(120, [&](std::uint32_t i) { return function(i % 40, i / 40); }))
            << name;
    };
    using U = std::uint32_t;
    of_thread("%tid.x", [](U thread, U) { return thread; });
    of_thread("%tid.r", [](U thread, U) { return thread; });
    of_thread("%ctaid.x", [](U, U block) { return block; });
    of_thread("%clusterid.x", [](U, U block) { return block; });
    of_thread("%ntid.x", [](U, U) { return 40; });
    of_thread("%nctaid.x", [](U, U) { return 3; });
    of_thread("%nclusterid.x", [](U, U) { return 3; });
    of_thread("%warpid", [](U thread, U) { return thread / 32; });
    of_thread("%laneid", [](U thread, U) { return thread % 32; });
    of_thread("%lanemask_eq", [](U thread, U) { return std::uint64_t{1} << thread % 32; });
    of_thread("%lanemask_lt", [](U thread, U) { return (std::uint64_t{1} << thread % 32) - 1; });
    of_thread("%lanemask_le", [](U thread, U) { return (std::uint64_t{2} << thread % 32) - 1; });
    of_thread("%lanemask_gt", [](U thread, U) { return 0xffffffff - ((std::uint64_t{2} << thread % 32) - 1); });
    of_thread("%lanemask_ge", [](U thread, U) { return 0xffffffff - ((std::uint64_t{1} << thread % 32) - 1); });
    for (const std::string name : {"%tid.y",
                                   "%tid.z",
                                   "%tid.w",
                                   "%ctaid.y",
                                   "%ctaid.z",
                                   "%ctaid.w",
                                   "%ntid.w",
                                   "%nctaid.w",
                                   "%smid",
                                   "%cluster_ctaid.x",
                                   "%cluster_ctaid.y",
                                   "%cluster_ctaid.z",
                                   "%cluster_ctarank",
                                   "%pm0",
                                   "%pm7",
                                   "%envreg0",
                                   "%envreg1",
                                   "%envreg2",
                                   "%envreg31",
                                   "%clock_hi",
                                   "%dynamic_smem_size",
                                   "%reserved_smem_offset_begin",
                                   "%reserved_smem_offset_0"}) {
        if (name != "%clock_hi") of_thread(name, [](U, U) { return 0; });
    }
    for (const std::string name : {"%ntid.y", "%ntid.z", "%nctaid.y", "%nctaid.z", "%nsmid", "%cluster_nctaid.x",
                                   "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_nctarank"}) {
        of_thread(name, [](U, U) { return 1; });
    }
    EXPECT_EQ(results_of("mov.pred %p, %is_explicit_cluster;\nselp.b32 %d, 1, 2, %p;\nst.global.u32 [%mine], %d;"), Words(32, 2));
    for (const std::string name : {"%envreg32", "%pm8", "%tid.q", "%pm01", "%unknown"}) {
        EXPECT_EQ(run_control(control_kernel("mov.u32 %d, " + name + ";")).result.status, driver::CUDA_ERROR_NOT_SUPPORTED)
            << name;
    }
}

TEST(SpecialRegisterTest, ReadsTimes) {
    EXPECT_EQ(
        results_of("mov.u64 %x, %clock64;\nmov.u32 %a, %clock;\nmov.u32 %b, %clock_hi;\nnanosleep.u32 5;\nmov.u64 %y, %clock64;\n"
                   "setp.gt.u64 %p, %y, %x;\nselp.b32 %d, 1, 2, %p;\nst.global.u32 [%mine], %d;"),
        Words(32, 1));
    const auto seconds =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch());
    const std::uint32_t high = read_register("%globaltimer_hi")[0];
    EXPECT_NEAR(static_cast<double>(high), static_cast<double>(static_cast<std::uint64_t>(seconds.count()) >> 32), 2);
    EXPECT_EQ(
        results_of("mov.u64 %x, %globaltimer;\nmov.u32 %b, %globaltimer_lo;\nmov.u64 %y, %globaltimer;\nsetp.ge.u64 %p, %y, %x;\n"
                   "selp.b32 %d, 1, 2, %p;\nst.global.u32 [%mine], %d;"),
        Words(32, 1));
}

TEST(SpecialRegisterTest, NumbersLaunches) {
    const std::string text = "mov.u64 %x, %gridid;\nst.global.u32 [%mine], %d;\nmov.u32 %d, %gridid;\nst.global.u32 [%mine], %d;";
    EXPECT_NE(results_of(text, {.is_compared = false}), results_of(text, {.is_compared = false}));
    EXPECT_EQ(
        results_of("mov.u64 %x, %current_graph_exec;\nmov.u64 %y, %pm3_64;\nsetp.eq.u64 %p, %x, %y;\nsetp.eq.u64 %q, %x, 0;\n"
                   "selp.b32 %d, 1, 2, %p;\nselp.b32 %d, %d, 3, %q;\nst.global.u32 [%mine], %d;"),
        Words(32, 1));
}

TEST(WorkspaceTest, CountsTheBlocksOfACooperativeLaunch) {
    // Like grid().sync() of cooperative groups, for blocks of one thread that arrive in the order of their indices.
    ControlLaunch launch{.blocks = 9, .threads = 1};
    launch.prototype.is_cooperative = true;
    const std::string address =
        "mov.u32 %a, %envreg1;\nmov.u32 %b, %envreg2;\nmul.wide.u32 %x, %a, -2147483648;\n"
        "mul.lo.u64 %x, %x, 2;\nmul.wide.u32 %y, %b, 1;\nadd.s64 %x, %x, %y;\n";
    EXPECT_EQ(
        results_of(address +
                       "WAIT: ld.volatile.u32 %c, [%x+4];\nsetp.ne.u32 %p, %c, %index;\n@%p nanosleep.u32 9;\n@%p bra WAIT;\n"
                       "add.u32 %c, %c, 1;\nst.volatile.u32 [%x+4], %c;\n"
                       "LATER: ld.volatile.u32 %c, [%x+4];\nsetp.ne.u32 %p, %c, 9;\n@%p nanosleep.u32 9;\n@%p bra LATER;\n"
                       "st.global.u32 [%mine], %c;",
                   launch),
        Words(9, 9));
}

std::string text_variable(const std::string& name, const std::string& text) {
    std::string declaration = ".global .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {";
    for (const char c : text) declaration += std::to_string(static_cast<unsigned char>(c)) + ", ";
    return declaration + "0};\n";
}

const char* const print_function = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";

// Prints with arguments that `store` writes to the structure at [arguments].
std::string print(const std::string& format, const std::string& store, int* result = nullptr) {
    const std::string body =
        ".local .align 8 .b8 arguments[512];\nmov.u64 %x, arguments;\ncvta.local.u64 %y, %x;\n" + store +
        "mov.u64 %z, format;\n{ .param .b64 f;\n.param .b64 a;\n.param .b32 r;\nst.param.b64 [f], %z;\n"
        "st.param.b64 [a], %y;\ncall.uni (r), vprintf, (f, a);\nld.param.b32 %d, [r];\n}\nst.global.u32 [%mine], %d;";
    ::testing::internal::CaptureStdout();
    const Words results = results_of(body, {.threads = 1, .is_compared = false},
                                     print_function + text_variable("format", format) + text_variable("word", "cubind"));
    std::fflush(stdout);
    if (result != nullptr) *result = static_cast<int>(results[0]);
    return ::testing::internal::GetCapturedStdout();
}

TEST(PrintTest, FormatsAsTheHostDoes) {
    const auto host = [](const char* format, auto... values) {
        char text[512];
        std::snprintf(text, sizeof text, format, values...);
        return std::string(text);
    };
    const auto bits = [](double value) { return std::to_string(std::bit_cast<std::uint64_t>(value)); };
    int count = -5;
    EXPECT_EQ(print("no arguments: %%\n", "", &count), "no arguments: %\n");
    EXPECT_EQ(count, 0);
    const std::string number = "st.local.u32 [arguments], -77;\n";
    for (const std::string format : {"%d", "[%8d]", "[%-8i]", "[%+.5d]", "[% d]", "%u", "%x", "%#X", "%o", "[%08x]"}) {
        EXPECT_EQ(print(format, number, &count), host(format.c_str(), -77)) << format;
        EXPECT_EQ(count, 1);
    }
    EXPECT_EQ(print("%hd %hu", "st.local.u32 [arguments], 98765;\nst.local.u32 [arguments+4], 98765;\n"), "-32307 33229");
    EXPECT_EQ(print("%hhd", "st.local.u32 [arguments], 255;\n"), "-1");
    const std::string wide = "st.local.u32 [arguments], 3;\nst.local.u64 [arguments+8], -1234567890123;\n";
    EXPECT_EQ(print("%d %lld", wide), host("%d %lld", 3, -1234567890123LL));
    EXPECT_EQ(print("%d %lx", wide), host("%d %lx", 3, -1234567890123L));
    EXPECT_EQ(print("%c%20ld", wide), host("%c%20ld", 3, -1234567890123L));
    for (const double value : {0.0, -1.5, 3.14159265358979, 1e300, 1e-310, HUGE_VAL, 123456789.0}) {
        for (const std::string format : {"%f", "%e", "%g", "%G", "%a", "%.3f", "[%12.4e]", "[%-12.1f]", "%#g", "%E", "%A"}) {
            EXPECT_EQ(print(format, "st.local.u64 [arguments], " + bits(value) + ";\n"), host(format.c_str(), value)) << format;
        }
    }
    const std::string star =
        "st.local.u32 [arguments], 9;\nst.local.u32 [arguments+4], 3;\nst.local.u64 [arguments+8], " + bits(2.0 / 3) + ";\n";
    EXPECT_EQ(print("[%*.*f]", star, &count), host("[%*.*f]", 9, 3, 2.0 / 3));
    EXPECT_EQ(count, 3);
    EXPECT_EQ(print("[%-*.2f]", "st.local.u32 [arguments], 9;\nst.local.u64 [arguments+8], " + bits(2.5) + ";\n"),
              host("[%-*.2f]", 9, 2.5));
    EXPECT_EQ(print("[%*d]", "st.local.u32 [arguments], -6;\nst.local.u32 [arguments+4], 5;\n"), host("[%*d]", -6, 5));
    const std::string word = "mov.u64 %z, word;\nst.local.u64 [arguments], %z;\n";
    EXPECT_EQ(print("<%s> <%%>", word), "<cubind> <%>");
    EXPECT_EQ(print("<%10.3s>", word), "<       cub>");
    EXPECT_EQ(print("%s", "st.local.u64 [arguments], 0;\n"), "(null)");
    EXPECT_EQ(print("%p", "st.local.u64 [arguments], 74565;\n"), "0x12345");
    EXPECT_EQ(print("100%", ""), "100%");
    EXPECT_EQ(print("%y %5k", ""), "%y %5k");
    EXPECT_EQ(print(std::string(300, 'x') + "%500d", number).size(), 800);
}

// As on an H200 (driver 580.159.04), except that the text has a limit there only by its memory.
TEST(PrintTest, LimitsTheTextOfOneCall) {
    constexpr std::size_t limit = 8650752;
    const std::string number = "st.local.u32 [arguments], 7;\n";
    EXPECT_EQ(print("%100000d|", number).size(), 100001u);
    EXPECT_EQ(print("%.100000d|", number).size(), 100001u);
    EXPECT_EQ(print("%2000000000d|", number).size(), limit);
    EXPECT_EQ(print("%.2000000000d|", number).size(), limit);
    EXPECT_EQ(print("%-*d|", "st.local.u32 [arguments], 2000000000;\n").size(), limit);
    EXPECT_EQ(print("a%5000000db%5000000dc%5000000d|", number).size(), limit);
    EXPECT_EQ(print("%99999999999d|", number), "|") << "the host cannot format this width";
    EXPECT_EQ(print("%.99999999999d|%d", "st.local.u32 [arguments+4], 8;\n"), "|8");
}

TEST(PrintTest, LimitsTheConversionsOfOneCall) {
    std::string format;
    std::string wanted;
    std::string arguments;
    for (int i = 0; i < 70; ++i) {
        format += "%c%%";
        wanted += i < 63 ? "x%" : i == 63 ? "x%%" : "%c%%";
        arguments += "st.local.u32 [arguments+" + std::to_string(4 * i) + "], 120;\n";
    }
    int count = 0;
    EXPECT_EQ(print(format, arguments, &count), wanted);
    EXPECT_EQ(count, 32);
}

TEST(PrintTest, WritesTheTextsOfThreadsOneByOne) {
    ::testing::internal::CaptureStdout();
    results_of(
        ".local .align 8 .b8 arguments[8];\nst.local.u32 [arguments], %index;\nmov.u64 %x, arguments;\ncvta.local.u64 %y, %x;\n"
        "mov.u64 %z, format;\n{ .param .b64 f;\n.param .b64 a;\n.param .b32 r;\nst.param.b64 [f], %z;\nst.param.b64 [a], %y;\n"
        "call.uni (r), vprintf, (f, a);\n}",
        {.threads = 40}, print_function + text_variable("format", "%d\n"));
    std::fflush(stdout);
    std::string wanted;
    for (int i = 0; i < 40; ++i) wanted += std::to_string(i) + '\n';
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), wanted);
}

TEST(PrintTest, FailsForATextThatIsNotInMemory) {
    const ControlRun run =
        run_control(control_kernel("{ .param .b64 f;\n.param .b64 a;\n.param .b32 r;\nst.param.b64 [f], 64;\n"
                                   "st.param.b64 [a], 0;\ncall.uni (r), vprintf, (f, a);\n}",
                                   print_function));
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_NE(run.result.problem.find("vprintf"), std::string::npos) << run.result.problem;
}

TEST(HeapTest, AllocatesUpToItsLimit) {
    const std::string functions = ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";
    const std::string allocate =
        "{ .param .b64 n;\n.param .b64 r;\nst.param.b64 [n], 1000;\ncall.uni (r), malloc, (n);\nld.param.b64 %x, [r];\n}\n";
    const std::string store = "setp.ne.u64 %p, %x, 0;\nselp.b32 %d, 1, 0, %p;\nst.global.u32 [%mine], %d;\n";
    const std::string release = "{ .param .b64 p;\nst.param.b64 [p], %x;\ncall.uni free, (p);\n}\n";
    ControlLaunch launch;
    launch.prototype.heap_bytes = 10 * 1008;
    launch.is_compared = false;  // the heap of a GPU is larger
    const Words results =
        results_of(allocate + "setp.ne.u64 %p, %x, 0;\n@%p st.u32 [%x+996], %lane;\n" + store, launch, functions);
    EXPECT_EQ(std::accumulate(results.begin(), results.end(), 0u), 10u);
    // Freed memory can be allocated again.
    EXPECT_EQ(results_of("mov.u32 %a, 0;\nLOOP: mov.u64 %x, 0;\nsetp.ge.u32 %q, %lane, 10;\n@%q bra NEXT;\n" + allocate +
                             release + "NEXT: add.u32 %a, %a, 1;\nsetp.lt.u32 %q, %a, 20;\n@%q bra LOOP;\n" + store,
                         launch, functions),
              expected(32, [](std::uint32_t i) { return i < 10 ? 1 : 0; }));
    const ControlRun run = run_control(control_kernel("mov.u64 %x, 4096;\n" + release, functions));
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_NE(run.result.problem.find("0x1000"), std::string::npos) << run.result.problem;
}

TEST(AssertionTest, NamesTheThreads) {
    const std::string functions =
        ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n" +
        text_variable("message", "x == 3") + text_variable("file", "a.cu") + text_variable("name", "void k()");
    std::string body =
        "setp.eq.u32 %p, %index, 33;\n@!%p bra END;\n{ .param .b64 m;\n.param .b64 f;\n.param .b32 l;\n.param .b64 n;\n.param "
        ".b64 s;\n";
    for (const auto& [parameter, variable] : {std::pair("m", "message"), std::pair("f", "file"), std::pair("n", "name")}) {
        body += std::string("mov.u64 %x, ") + variable + ";\nst.param.b64 [" + parameter + "], %x;\n";
    }
    body += "st.param.b32 [l], 17;\nst.param.b64 [s], 1;\ncall.uni __assertfail, (m, f, l, n, s);\n}\nEND:";
    ::testing::internal::CaptureStderr();
    const ControlRun run = run_control(control_kernel(body, functions), {.threads = 64});
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "a.cu:17: void k(): block: [0,0,0], thread: [33,0,0] Assertion `x == 3` failed.\n");
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_ASSERT);
    EXPECT_NE(run.result.problem.find("x == 3"), std::string::npos) << run.result.problem;
}

// Calls a function that has an address as its parameter and returns a number.
ControlRun call_of_runtime(const std::string& name, const std::string& before = {}) {
    return run_control(
        control_kernel("{ .param .b64 k;\n.param .b32 r;\nst.param.b64 [k], %out;\ncall.uni (r), " + name + ", (k);\n}",
                       before + ".extern .func (.param .b32 r) " + name + "(.param .b64 k);\n"));
}

TEST(DeviceRuntimeTest, IsMissingWithoutItsLibrary) {
    const ControlRun run = call_of_runtime("__cudaCDP2GetDevice");
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_NE(run.result.problem.find("__cudaCDP2GetDevice is not defined in the module"), std::string::npos)
        << run.result.problem;
}

TEST(DeviceRuntimeTest, RefusesAFunctionThatIsNotSupported) {
    const ControlRun run = call_of_runtime("__cudaCDP2RuntimeGetVersion", ".pragma \"cubind_device_runtime\";\n");
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_NE(run.result.problem.find("__cudaCDP2RuntimeGetVersion of the device runtime"), std::string::npos)
        << run.result.problem;
}

// Calls `visit` for each choice of alternatives in the groups of a row.
void for_each_choice(std::string_view groups, std::vector<std::string> chosen,
                     const std::function<void(const std::vector<std::string>&)>& visit) {
    if (groups.empty()) return visit(chosen);
    const std::size_t end = groups.find(' ');
    std::string_view group = groups.substr(0, end);
    groups.remove_prefix(end == std::string_view::npos ? groups.size() : end + 1);
    if (group.starts_with('[')) {
        for_each_choice(groups, chosen, visit);
        group = group.substr(1, group.size() - 2);
    }
    while (!group.empty()) {
        const std::size_t bar = group.find('|');
        std::vector<std::string> more = chosen;
        more.emplace_back(group.substr(0, bar));
        for_each_choice(groups, more, visit);
        group.remove_prefix(bar == std::string_view::npos ? group.size() : bar + 1);
    }
}

TEST(ControlFormTest, HasAHandlerForEachAlternative) {
    int count = 0;
    for (const sim::ptx::Forms& forms : sim::ptx::families()) {
        for (const sim::ptx::Form& form : forms) {
            const bool is_own = forms.data() == sim::ptx::control_forms().data() ||
                                forms.data() == sim::ptx::barrier_forms().data() ||
                                forms.data() == sim::ptx::vote_forms().data() ||
                                forms.data() == sim::ptx::reduction_forms().data() || form.opcode == "shfl";
            if (!is_own || form.opcode == "call") continue;
            for_each_choice(form.modifiers, {}, [&](const std::vector<std::string>& modifiers) {
                std::string text(form.opcode);
                for (const std::string& each : modifiers) text += each;
                const bool is_wide = !modifiers.empty() && modifiers.back() == ".b64";
                const std::map<std::string_view, std::string> operands = {{"=b32", "%a"},
                                                                          {"=b32|p", "%a|%p"},
                                                                          {"=p", "%p"},
                                                                          {"=t", "%a"},
                                                                          {"p", "%q"},
                                                                          {"b32", form.opcode == "pmevent" ? "1" : "%b"},
                                                                          {"t", is_wide ? "%x" : "%c"},
                                                                          {"l", "END"},
                                                                          {"T", "TABLE"}};
                std::string_view rest = form.operands;
                for (const char* separator = " "; !rest.empty(); separator = ", ") {
                    const std::size_t end = rest.find(' ');
                    text += separator + operands.at(rest.substr(0, end));
                    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
                }
                std::string module = control_kernel("TABLE: .branchtargets END;\n" + text + ";\nEND:");
                if (form.target == 100) module.replace(module.find("sm_90"), 5, "sm_100a");
                auto image = sim::ptx::read(module, 99990).image;
                sim::ptx::Executable executable(image.code, image.version, image.target,
                                                [](std::string_view) { return std::nullopt; });
                const sim::ptx::Program& program = executable.find_kernel("test")->kernel();
                EXPECT_TRUE(program.problems.empty()) << text << ": " << *program.problems.front();
                ++count;
            });
        }
    }
    EXPECT_GT(count, 90);
}

}  // namespace
}  // namespace cubind::testing::builtin_tests
