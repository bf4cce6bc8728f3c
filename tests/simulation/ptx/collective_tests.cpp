// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Shuffles, votes, matches and reductions of warps.
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "control_test.hpp"
#include "instruction_test.hpp"

namespace cubind::testing::collective_tests {
namespace {

using Words = std::vector<std::uint32_t>;

/// The values of the sources in the threads of a warp.
struct WarpValues {
    const std::uint32_t* a;
    const std::uint32_t* b;
    const std::uint32_t* c;
    std::vector<unsigned> lanes;  ///< the active threads, in ascending order

    bool has(unsigned lane) const { return std::ranges::find(lanes, lane) != lanes.end(); }
};

Words random_words(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    Words words(count);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
    return words;
}

// Runs an instruction whose member mask is written MEMBERS for all threads, and for the odd ones only. Sources of threads that do
// not run the instruction are not read.
template <class Oracle>
void expect_collective(const std::string& text, const Words& a, const Words& b, const Words& c, Oracle oracle) {
    for (const bool is_divergent : {false, true}) {
        std::string instruction = text;
        const std::string members = "MEMBERS";
        const std::size_t at = instruction.find(members);
        if (at != std::string::npos) instruction.replace(at, members.size(), is_divergent ? "0xaaaaaaaa" : "0xffffffff");
        const Words results = run_instruction<std::uint32_t>(instruction, is_divergent, "8.8", a, b, c);
        for (std::size_t first = 0; first < a.size(); first += 32) {
            WarpValues warp{&a[first], &b[first], &c[first], {}};
            for (unsigned lane = is_divergent ? 1 : 0; lane < 32; lane += is_divergent ? 2 : 1) warp.lanes.push_back(lane);
            for (const unsigned lane : warp.lanes) {
                const std::optional<std::uint32_t> wanted = oracle(warp, lane);
                if (!wanted) continue;
                ASSERT_EQ(results[first + lane], *wanted) << instruction << " lane " << lane << " of warp " << first / 32;
            }
        }
    }
}

/// The thread that a shuffle reads; nothing if it is outside the segment. Counts threads instead of combining bits.
std::optional<unsigned> find_source(const std::string& mode, unsigned lane, std::uint32_t offset, std::uint32_t bounds) {
    // Threads of a segment have equal bits where the mask has ones.
    const auto is_fixed = [&](int bit) { return (bounds >> (8 + bit)) % 2 == 1; };
    const auto digit = [](unsigned number, int bit) { return number / (1u << bit) % 2; };
    unsigned limit = 0;
    unsigned named = 0;
    for (int bit = 0; bit < 5; ++bit) {
        limit += (is_fixed(bit) ? digit(lane, bit) : digit(bounds, bit)) << bit;
        named += (is_fixed(bit) ? digit(lane, bit) : digit(offset, bit)) << bit;
    }
    const unsigned distance = offset % 32;
    if (mode == "up") return lane >= distance + limit ? std::optional(lane - distance) : std::nullopt;
    if (mode == "down") return lane + distance <= limit ? std::optional(lane + distance) : std::nullopt;
    unsigned source = named;
    if (mode == "bfly") {
        source = 0;
        for (int bit = 0; bit < 5; ++bit) source += (digit(lane, bit) + digit(distance, bit)) % 2 << bit;
    }
    return source <= limit ? std::optional(source) : std::nullopt;
}

TEST(ShuffleTest, ReadsTheSourceThread) {
    const Words a = random_words(2048, 1);
    const Words b = random_words(2048, 2);
    const Words c = random_words(2048, 3);
    for (const std::string mode : {"up", "down", "bfly", "idx"}) {
        for (const bool has_predicate : {false, true}) {
            const std::string text = "shfl.sync." + mode + ".b32 %d" + (has_predicate ? "|%p" : "") + ", %a, %b, %c, MEMBERS;";
            expect_collective(text, a, b, c, [&](const WarpValues& warp, unsigned lane) -> std::optional<std::uint32_t> {
                const unsigned source = find_source(mode, lane, warp.b[lane], warp.c[lane]).value_or(lane);
                return warp.has(source) ? std::optional(warp.a[source]) : std::nullopt;
            });
        }
        const std::string text = "shfl.sync." + mode + ".b32 %u|%p, %a, %b, %c, MEMBERS;\nselp.b32 %d, 1, 2, %p;";
        expect_collective(text, a, b, c, [&](const WarpValues& warp, unsigned lane) {
            return std::optional<std::uint32_t>(find_source(mode, lane, warp.b[lane], warp.c[lane]) ? 1 : 2);
        });
    }
}

TEST(ShuffleTest, KeepsWithinSegmentsOfTheWidth) {
    const Words a = random_words(1024, 1);
    for (const unsigned width : {1u, 2u, 4u, 8u, 16u, 32u}) {
        for (const unsigned distance : {0u, 1u, 3u, 5u, 16u, 31u}) {
            const auto run = [&](const std::string& mode, unsigned clamp, auto source_of) {
                const std::string bounds = std::to_string((32 - width) << 8 | clamp);
                const std::string text =
                    "shfl.sync." + mode + ".b32 %d, %a, " + std::to_string(distance) + ", " + bounds + ", MEMBERS;";
                expect_collective(text, a, a, a, [&](const WarpValues& warp, unsigned lane) -> std::optional<std::uint32_t> {
                    const int segment = static_cast<int>(lane / width * width);
                    const int wanted = source_of(static_cast<int>(lane), segment);
                    const bool is_inside = wanted >= segment && wanted < segment + static_cast<int>(width);
                    const unsigned source = is_inside ? static_cast<unsigned>(wanted) : lane;
                    return warp.has(source) ? std::optional(warp.a[source]) : std::nullopt;
                });
            };
            const int by = static_cast<int>(distance);
            run("up", 0, [&](int lane, int) { return lane - by; });
            run("down", 31, [&](int lane, int) { return lane + by; });
            run("idx", 31, [&](int, int segment) { return segment + by % static_cast<int>(width); });
        }
    }
}

TEST(ShuffleTest, RunsWithoutSyncForOlderPtx) {
    const Words a = random_words(256, 1);
    const Words b = random_words(256, 2);
    for (const std::string mode : {"up", "down", "bfly", "idx"}) {
        const unsigned bounds = mode == "up" ? 0 : 31;
        expect_collective("shfl." + mode + ".b32 %d|%p, %a, %b, " + std::to_string(bounds) + ";", a, b, b,
                          [&](const WarpValues& warp, unsigned lane) -> std::optional<std::uint32_t> {
                              const unsigned source = find_source(mode, lane, warp.b[lane], bounds).value_or(lane);
                              return warp.has(source) ? std::optional(warp.a[source]) : std::nullopt;
                          });
    }
}

TEST(VoteTest, CountsThePredicatesOfItsMembers) {
    Words a = random_words(2048, 4);
    // Warps in which all, none, or one of the threads have a true predicate.
    for (std::size_t i = 0; i < 256; ++i) a[i] = i < 64 ? 1 : i < 128 ? 0 : i % 32 == 7 ? 1 : i % 32 == 8 && i > 200 ? 1 : 0;
    for (std::size_t i = 256; i < a.size(); ++i) a[i] %= 2;
    const std::map<std::string, std::function<bool(std::size_t, std::size_t)>> kinds = {
        {"all", [](std::size_t yes, std::size_t count) { return yes == count; }},
        {"any", [](std::size_t yes, std::size_t) { return yes > 0; }},
        {"uni", [](std::size_t yes, std::size_t count) { return yes == 0 || yes == count; }},
    };
    for (const bool is_negated : {false, true}) {
        const std::string predicate = is_negated ? "!%p" : "%p";
        const auto votes = [&](const WarpValues& warp) {
            std::set<unsigned> yes;
            for (const unsigned lane : warp.lanes) {
                if ((warp.a[lane] == 1) != is_negated) yes.insert(lane);
            }
            return yes;
        };
        for (const auto& kind : kinds) {
            const auto oracle = [&](const WarpValues& warp, unsigned) {
                return std::optional<std::uint32_t>(kind.second(votes(warp).size(), warp.lanes.size()) ? 1 : 2);
            };
            const std::string rest = "selp.b32 %d, 1, 2, %q;";
            const std::string set = "setp.eq.u32 %p, %a, 1;\n";
            expect_collective(set + "vote.sync." + kind.first + ".pred %q, " + predicate + ", MEMBERS;\n" + rest, a, a, a,
                              oracle);
            expect_collective(set + "vote." + kind.first + ".pred %q, " + predicate + ";\n" + rest, a, a, a, oracle);
        }
        const auto ballot = [&](const WarpValues& warp, unsigned) {
            std::uint32_t bits = 0;
            for (const unsigned lane : votes(warp)) bits += static_cast<std::uint32_t>(std::exp2(lane));
            return std::optional(bits);
        };
        const std::string set = "setp.eq.u32 %p, %a, 1;\n";
        expect_collective(set + "vote.sync.ballot.b32 %d, " + predicate + ", MEMBERS;", a, a, a, ballot);
        expect_collective(set + "vote.ballot.b32 %d, " + predicate + ";", a, a, a, ballot);
    }
}

TEST(MatchTest, FindsThreadsWithEqualValues) {
    Words a = random_words(2048, 5);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = i % 64 < 32 ? a[i] % 5 : i / 64 % 2 == 0 ? 7 : i % 32 == 9 ? 1 : 3;
    const auto equal = [](const WarpValues& warp, unsigned lane) {
        std::uint32_t bits = 0;
        for (const unsigned other : warp.lanes) bits |= warp.a[other] == warp.a[lane] ? 1u << other : 0;
        return bits;
    };
    const auto everyone = [](const WarpValues& warp) {
        std::uint32_t bits = 0;
        for (const unsigned other : warp.lanes) bits |= 1u << other;
        return bits;
    };
    const auto any = [&](const WarpValues& warp, unsigned lane) { return std::optional(equal(warp, lane)); };
    const auto all = [&](const WarpValues& warp, unsigned lane) {
        return std::optional(equal(warp, lane) == everyone(warp) ? everyone(warp) : 0);
    };
    const auto is_all = [&](const WarpValues& warp, unsigned lane) {
        return std::optional<std::uint32_t>(equal(warp, lane) == everyone(warp) ? 1 : 2);
    };
    // Values of 64 bits that differ in the upper half only.
    const std::string widen = "mul.wide.u32 %x, %a, -2147483648;\n";
    for (const std::string order : {"any.sync", "sync.any"}) {
        expect_collective("match." + order + ".b32 %d, %a, MEMBERS;", a, a, a, any);
        expect_collective(widen + "match." + order + ".b64 %d, %x, MEMBERS;", a, a, a, any);
    }
    for (const std::string order : {"all.sync", "sync.all"}) {
        expect_collective("match." + order + ".b32 %d, %a, MEMBERS;", a, a, a, all);
        expect_collective(widen + "match." + order + ".b64 %d|%p, %x, MEMBERS;", a, a, a, all);
        expect_collective("match." + order + ".b32 _|%p, %a, MEMBERS;\nselp.b32 %d, 1, 2, %p;", a, a, a, is_all);
    }
}

TEST(ReductionTest, CombinesTheValuesOfItsMembers) {
    const Words a = values_for_tests<std::uint32_t>(4096, 6);
    using Fold = std::function<long long(const std::vector<long long>&)>;
    const Fold least = [](const auto& values) { return *std::ranges::min_element(values); };
    const Fold greatest = [](const auto& values) { return *std::ranges::max_element(values); };
    const Fold sum = [](const auto& values) { return std::accumulate(values.begin(), values.end(), 0LL); };
    // A bit of the result depends on the number of values that have it.
    const auto by_count = [](auto decide) -> Fold {
        return [decide](const std::vector<long long>& values) {
            long long result = 0;
            for (int bit = 0; bit < 32; ++bit) {
                const auto count = std::ranges::count_if(values, [&](long long value) { return (value >> bit) % 2 != 0; });
                if (decide(static_cast<std::size_t>(count), values.size())) result += 1LL << bit;
            }
            return result;
        };
    };
    const Fold every = by_count([](std::size_t count, std::size_t all) { return count == all; });
    const Fold some = by_count([](std::size_t count, std::size_t) { return count > 0; });
    const Fold odd = by_count([](std::size_t count, std::size_t) { return count % 2 == 1; });
    const std::map<std::string, Fold> all = {{"add.u32", sum},   {"add.s32", sum},      {"min.u32", least},
                                             {"min.s32", least}, {"max.u32", greatest}, {"max.s32", greatest},
                                             {"and.b32", every}, {"or.b32", some},      {"xor.b32", odd}};
    for (const auto& each : all) {
        const bool is_signed = each.first.ends_with(".s32");
        expect_collective("redux.sync." + each.first + " %d, %a, MEMBERS;", a, a, a, [&](const WarpValues& warp, unsigned) {
            std::vector<long long> values;
            for (const unsigned lane : warp.lanes) {
                values.push_back(is_signed ? static_cast<std::int32_t>(warp.a[lane]) : static_cast<long long>(warp.a[lane]));
            }
            return std::optional(static_cast<std::uint32_t>(each.second(values)));
        });
    }
}

TEST(ReductionTest, RequiresALaterTargetForFloats) {
    const ControlRun run = run_control(control_kernel("redux.sync.min.f32 %a, %a, -1;"));
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_NE(run.result.problem.find("sm_100"), std::string::npos) << run.result.problem;
}

TEST(ReductionTest, FindsExtremesOfFloats) {
    std::string text = control_kernel(
        "mul.wide.u32 %x, %lane, 4;\nadd.s64 %x, %x, %in;\nld.global.u32 %a, [%x];\nredux.sync.OPERATION.f32 %b, %a, -1;\n"
        "st.global.u32 [%mine], %b;");
    text.replace(text.find("sm_90"), 5, "sm_100a");
    std::mt19937 random(3);
    for (int round = 0; round < 64; ++round) {
        std::vector<float> values = values_for_tests<float>(64 + static_cast<std::size_t>(round), 9);
        ControlLaunch launch;
        launch.in.clear();
        for (int i = 0; i < 32; ++i) {
            const float value = round < 8 ? (round % 2 == 0 ? -0.0f : 0.0f) : values[random() % values.size()];
            const bool is_number = round % 3 != 0 || round < 8;
            launch.in.push_back(std::bit_cast<std::uint32_t>(is_number && std::isnan(value) ? 1.0f : value));
        }
        if (round % 2 == 0 && round < 8) launch.in[5] = 0;
        if (round == 63) std::ranges::fill(launch.in, 0x7fc00001);
        for (const std::string operation :
             {"min", "max", "min.abs", "max.abs", "min.NaN", "max.NaN", "min.abs.NaN", "max.abs.NaN"}) {
            const bool is_absolute = operation.find(".abs") != std::string::npos;
            const bool keeps_nan = operation.find(".NaN") != std::string::npos;
            std::vector<float> numbers;
            bool has_nan = false;
            for (const std::uint32_t bits : launch.in) {
                const auto value = std::bit_cast<float>(bits);
                has_nan |= std::isnan(value);
                if (!std::isnan(value)) numbers.push_back(is_absolute ? std::abs(value) : value);
            }
            std::ranges::sort(numbers, [](float x, float y) { return x != y ? x < y : std::signbit(x) && !std::signbit(y); });
            const std::uint32_t wanted = numbers.empty() || (has_nan && keeps_nan) ? 0x7fffffff
                                         : operation.starts_with("min")            ? std::bit_cast<std::uint32_t>(numbers.front())
                                                                                   : std::bit_cast<std::uint32_t>(numbers.back());
            std::string own = text;
            own.replace(own.find("OPERATION"), 9, operation);
            const ControlRun run = run_control(own, launch);
            ASSERT_EQ(run.result.status, driver::CUDA_SUCCESS) << run.result.problem;
            ASSERT_EQ(run.out, Words(32, wanted)) << operation << " round " << round;
        }
    }
}

TEST(CollectiveTest, GivesEachThreadTheResultOfItsOwnMembers) {
    // Tiles of four threads name different members in one instruction.
    const std::string tile =
        "mul.lo.u32 %a, %lane, 1;\nmov.u32 %b, 1;\nmov.u32 %c, 0;\nLOOP: setp.lt.u32 %p, %a, 4;\n@%p bra OUT;\n"
        "add.u32 %c, %c, 4;\nsub.u32 %a, %a, 4;\nmul.lo.u32 %b, %b, 16;\nbra LOOP;\nOUT: mul.lo.u32 %b, %b, 15;\n";
    const auto group = [](std::uint32_t lane) { return 15u << lane / 4 * 4; };
    EXPECT_EQ(results_of(tile + "redux.sync.add.u32 %d, %lane, %b;\nst.global.u32 [%mine], %d;"),
              expected(32, [](std::uint32_t lane) { return 4 * (lane / 4 * 4) + 6; }));
    EXPECT_EQ(results_of(tile + "setp.ne.u32 %p, %a, 2;\nvote.sync.ballot.b32 %d, %p, %b;\nst.global.u32 [%mine], %d;"),
              expected(32, [&](std::uint32_t lane) { return 11u << lane / 4 * 4; }));
    EXPECT_EQ(results_of(tile + "match.any.sync.b32 %d, 3, %b;\nst.global.u32 [%mine], %d;"), expected(32, group));
    EXPECT_EQ(
        results_of(tile + "elect.sync %d|%p, %b;\nselp.b32 %e, 100, 0, %p;\nadd.u32 %d, %d, %e;\nst.global.u32 [%mine], %d;"),
        expected(32, [](std::uint32_t lane) { return lane / 4 * 4 + (lane % 4 == 0 ? 100 : 0); }));
}

TEST(CollectiveTest, ElectsTheFirstMember) {
    EXPECT_EQ(results_of("elect.sync %d|%p, -1;\nselp.b32 %e, 100, 0, %p;\nadd.u32 %d, %d, %e;\nst.global.u32 [%mine], %d;"),
              expected(32, [](std::uint32_t lane) { return lane == 0 ? 100 : 0; }));
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 9;\n@%p bra END;\nelect.sync _|%p, 0xfffffe00;\nselp.b32 %d, 7, 8, %p;\n"
                         "st.global.u32 [%mine], %d;\nEND:"),
              expected(32, [](std::uint32_t lane) { return lane < 9    ? 0
                                                           : lane == 9 ? 7
                                                                       : 8; }));
}

TEST(CollectiveTest, ReadsTheActiveThreads) {
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 9;\n@%p bra END;\nactivemask.b32 %d;\nst.global.u32 [%mine], %d;\nEND:"),
              expected(32, [](std::uint32_t lane) { return lane < 9 ? 0 : 0xfffffe00; }));
}

TEST(CollectiveTest, WaitsForThreadsThatTookALongerWay) {
    // The upper half runs a loop before it joins the lower one.
    const std::string loop =
        "setp.lt.u32 %p, %lane, 16;\nmov.u32 %a, 0;\n@%p bra MEET;\nLOOP: add.u32 %a, %a, 1;\nsetp.lt.u32 %q, %a, %lane;\n@%q "
        "bra LOOP;\n";
    EXPECT_EQ(results_of(loop + "MEET: shfl.sync.bfly.b32 %d, %a, 31, 31, -1;\nst.global.u32 [%mine], %d;"),
              expected(32, [](std::uint32_t lane) { return lane < 16 ? 31 - lane : 0; }));
}

TEST(CollectiveTest, JoinsThreadsAtDifferentInstructions) {
    const std::string branch = "setp.lt.u32 %p, %lane, 11;\nadd.u32 %a, %lane, 100;\n@%p bra OTHER;\n";
    const std::string end = "END: st.global.u32 [%mine], %d;";
    EXPECT_EQ(results_of(branch + "shfl.sync.bfly.b32 %d, %a, 31, 31, -1;\nbra END;\n" +
                         "OTHER: add.u32 %b, %lane, 200;\nshfl.sync.bfly.b32 %d, %b, 31, 31, -1;\n" + end),
              expected(32, [](std::uint32_t lane) { return 31 - lane + (31 - lane < 11 ? 200 : 100); }));
    EXPECT_EQ(results_of(branch + "vote.sync.ballot.b32 %d, 1, -1;\nbra END;\nOTHER: vote.sync.ballot.b32 %d, %q, -1;\n" + end),
              expected(32, [](std::uint32_t) { return 0xfffff800; }));
    EXPECT_EQ(
        results_of(branch + "mov.u32 %d, 1;\nbar.warp.sync -1;\nbra END;\nOTHER: mov.u32 %d, 2;\nbar.warp.sync -1;\n" + end),
        expected(32, [](std::uint32_t lane) { return lane < 11 ? 2 : 1; }));
}

TEST(CollectiveTest, JoinsThreadsInDifferentCalls) {
    const std::string function =
        ".func (.param .b32 result) sum(.param .b32 value) {\n.reg .b32 %a, %b;\nld.param.u32 %a, [value];\n"
        "redux.sync.add.u32 %b, %a, -1;\nst.param.b32 [result], %b;\nret;\n}\n";
    const std::string call =
        "{ .param .b32 value;\n.param .b32 result;\nst.param.b32 [value], %a;\ncall (result), sum, (value);\n"
        "ld.param.b32 %d, [result];\n}\n";
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 5;\nmov.u32 %a, 1;\n@%p bra OTHER;\n" + call +
                             "bra END;\nOTHER: mov.u32 %a, 1000;\n" + call + "END: st.global.u32 [%mine], %d;",
                         {}, function),
              expected(32, [](std::uint32_t) { return 5027; }));
}

TEST(CollectiveTest, DoesNotWaitForThreadsThatHaveEnded) {
    EXPECT_EQ(results_of("setp.lt.u32 %p, %lane, 20;\n@!%p bra WORK;\nsetp.lt.u32 %q, %lane, 10;\n@%q exit;\nmov.u32 %a, 0;\n"
                         "LOOP: add.u32 %a, %a, 1;\nsetp.lt.u32 %q, %a, 1000;\n@%q bra LOOP;\nexit;\n"
                         "WORK: redux.sync.add.u32 %d, 1, -1;\nst.global.u32 [%mine], %d;"),
              expected(32, [](std::uint32_t lane) { return lane < 20 ? 0 : 12; }));
}

TEST(CollectiveTest, NamesThreadsThatWaitForever) {
    const ControlRun run =
        run_control(control_kernel("setp.eq.u32 %p, %lane, 3;\n@%p bra SKIP;\nbar.warp.sync -1;\nret;\n"
                                   "SKIP: vote.sync.any.pred %q, %p, -1;"));
    EXPECT_EQ(run.result.status, driver::CUDA_ERROR_LAUNCH_TIMEOUT);
    EXPECT_NE(run.result.problem.find("deadlock"), std::string::npos) << run.result.problem;
    EXPECT_NE(run.result.problem.find("(3, 0, 0)"), std::string::npos) << run.result.problem;
    EXPECT_NE(run.result.problem.find("31 threads"), std::string::npos) << run.result.problem;
}

}  // namespace
}  // namespace cubind::testing::collective_tests
