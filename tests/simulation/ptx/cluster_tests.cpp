// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <functional>

#include "cluster_test.hpp"
#include "ptx/handlers/control/cluster.hpp"

namespace cubind::testing::cluster_tests {
namespace {

using Words = std::vector<std::uint32_t>;

// Each thread stores its index, and reads that of the same thread in the next block of the cluster.
std::string exchange(const std::string& barrier) {
    return cluster_body(
        "mul.lo.u32 %c, %a, 500;\nWORK: setp.eq.u32 %p, %c, 0;\n@%p bra STORE;\nsub.u32 %c, %c, 1;\nbra WORK;\n"
        "STORE: st.shared.u32 [%e], %index;\n" +
        barrier +
        "add.u32 %c, %a, 1;\nrem.u32 %c, %c, %b;\nmapa.shared::cluster.u32 %g, %e, %c;\n"
        "ld.shared::cluster.u32 %d, [%g];\nst.global.u32 [%mine], %d;\n" +
        barrier);
}

Words exchanged(unsigned blocks, unsigned threads, unsigned size) {
    return expected(std::size_t{blocks} * threads, [=](std::uint32_t i) {
        const unsigned block = i / threads;
        return (block / size * size + (block % size + 1) % size) * threads + i % threads;
    });
}

TEST(ClusterBarrierTest, WaitsForAllThreadsOfTheCluster) {
    for (const std::string barrier :
         {synchronize, "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n",
          "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;\n",
          "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n",
          "fence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\n",
          "fence.sc.cluster;\nbarrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire;\n"}) {
        EXPECT_EQ(results_of(exchange(barrier), cluster_launch(8, 96, 4), cluster_memory), exchanged(8, 96, 4)) << barrier;
    }
}

TEST(ClusterBarrierTest, WorksForAllSizesWorkersAndSeeds) {
    for (const unsigned size : {1u, 2u, 3u, 8u, 16u}) {
        for (const unsigned workers : {1u, 4u}) {
            for (const std::uint64_t seed : {0u, 5u, 77u}) {
                ControlLaunch launch = cluster_launch(6 * size, 40, size);
                launch.prototype.workers = workers;
                launch.prototype.seed = seed;
                launch.is_compared = size <= 8 && seed == 0 && workers == 1;
                EXPECT_EQ(results_of(exchange(synchronize), launch, cluster_memory), exchanged(6 * size, 40, size))
                    << size << ' ' << workers << ' ' << seed;
            }
        }
    }
}

TEST(ClusterBarrierTest, SeparatesPhases) {
    // Each thread adds 1 to its word in all blocks, 50 times; after each barrier all words have the same value.
    const std::string body = cluster_body(
        "mov.u32 %d, 0;\nmov.u32 %f, 0;\nst.shared.u32 [%e], 0;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
        "PHASE: mov.u32 %c, 0;\n"
        "NEXT: mapa.shared::cluster.u32 %g, %e, %c;\nred.shared::cluster.add.u32 [%g], 1;\nadd.u32 %c, %c, 1;\n"
        "setp.lt.u32 %p, %c, %b;\n@%p bra NEXT;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nld.shared.u32 %h, [%e];\n"
        "add.u32 %f, %f, 1;\nmul.lo.u32 %c, %f, %b;\nsetp.ne.u32 %q, %h, %c;\n@%q add.u32 %d, %d, 1;\n"
        "barrier.cluster.arrive;\nbarrier.cluster.wait;\nsetp.lt.u32 %p, %f, 50;\n@%p bra PHASE;\nst.global.u32 [%mine], %d;");
    EXPECT_EQ(results_of(body, cluster_launch(8, 64, 4), cluster_memory), Words(8 * 64, 0));
}

TEST(ClusterBarrierTest, LetsThreadsWorkBetweenArrivalAndWait) {
    const std::string body = cluster_body(
        "st.shared.u32 [%e], %index;\nbarrier.cluster.arrive;\nmov.u32 %c, %a;\nmov.u32 %d, 0;\n"
        "WORK: add.u32 %d, %d, %c;\nadd.u32 %c, %c, 1;\nsetp.lt.u32 %p, %c, 900;\n@%p bra WORK;\nbarrier.cluster.wait;\n"
        "mapa.shared::cluster.u32 %g, %e, 0;\nld.shared::cluster.u32 %h, [%g];\nadd.u32 %d, %d, %h;\n"
        "st.global.u32 [%mine], %d;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;");
    EXPECT_EQ(results_of(body, cluster_launch(2, 64, 2), cluster_memory),
              expected(128, [](std::uint32_t i) { return 899 * 900 / 2 + i % 64; }));
}

TEST(ClusterBarrierTest, CountsThreadsOfDivergentBranches) {
    const std::string body = cluster_body(
        "st.shared.u32 [%e], %index;\nsetp.lt.u32 %p, %lane, 5;\n@%p bra OTHER;\nbarrier.cluster.arrive;\n"
        "barrier.cluster.wait;\nbra AFTER;\nOTHER: barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
        "AFTER: xor.b32 %c, %a, 1;\nmapa.shared::cluster.u32 %g, %e, %c;\nld.shared::cluster.u32 %d, [%g];\n"
        "st.global.u32 [%mine], %d;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;");
    EXPECT_EQ(results_of(body, cluster_launch(2, 64, 2), cluster_memory), exchanged(2, 64, 2));
}

TEST(ClusterBarrierTest, DoesNotWaitForThreadsThatHaveEnded) {
    // All threads of the last block end, and some of each other block, one of them after its arrival.
    const std::string body = cluster_body(
        "setp.eq.u32 %p, %a, 3;\n@%p exit;\nsetp.lt.u32 %p, %lane, 7;\n@%p exit;\nbarrier.cluster.arrive;\n"
        "setp.eq.u32 %p, %lane, 7;\n@%p exit;\nbarrier.cluster.wait;\nst.global.u32 [%mine], 4;");
    EXPECT_EQ(results_of(body, cluster_launch(4, 64, 4), cluster_memory),
              expected(256, [](std::uint32_t i) { return i < 192 && i % 32 > 7 ? 4 : 0; }));
}

TEST(ClusterBarrierTest, IsPassedByABlockWithoutACluster) {
    EXPECT_EQ(results_of(exchange(synchronize), {.blocks = 3, .threads = 64}, cluster_memory), exchanged(3, 64, 1));
}

// Writes %d of each block, which the text computes, in the order of the blocks.
Words words_of_blocks(const std::string& text, sim::Extent3 grid, sim::Extent3 cluster) {
    KernelRunner runner(
        ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry test(.param .u64 out) {\n.reg .pred %p;\n"
        ".reg .b32 %d, %x, %y, %z, %w;\n.reg .b64 %out, %wide;\nld.param.u64 %out, [out];\nmov.u32 %x, %ctaid.x;\n"
        "mov.u32 %y, %ctaid.y;\nmov.u32 %z, %ctaid.z;\nmov.u32 %w, %nctaid.y;\nmad.lo.u32 %y, %z, %w, %y;\n"
        "mov.u32 %w, %nctaid.x;\nmad.lo.u32 %x, %y, %w, %x;\nmul.wide.u32 %wide, %x, 4;\n"
        "add.s64 %out, %out, %wide;\n" +
        text + "\nst.global.u32 [%out], %d;\nret;\n}\n");
    runner.prototype.cluster = cluster;
    runner.prototype.is_explicit_cluster = true;
    const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
    const std::uint64_t out = runner.memory.allocate(4 * blocks);
    const sim::ptx::GridResult result = runner.run("test", grid, {1, 1, 1}, {out});
    EXPECT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
    return runner.memory.read<std::uint32_t>(out, blocks);
}

TEST(ClusterRegisterTest, DescribesTheClusterAndTheBlock) {
    constexpr sim::Extent3 grid{4, 6, 2};
    constexpr sim::Extent3 cluster{2, 3, 1};
    const auto test = [&](const std::string& name, const std::function<unsigned(unsigned x, unsigned y, unsigned z)>& oracle) {
        const Words words = words_of_blocks("mov.u32 %d, " + name + ";", grid, cluster);
        for (unsigned i = 0; i < words.size(); ++i) {
            EXPECT_EQ(words[i], oracle(i % 4, i / 4 % 6, i / 24)) << name << " of block " << i;
        }
    };
    test("%clusterid.x", [](unsigned x, unsigned, unsigned) { return x / 2; });
    test("%clusterid.y", [](unsigned, unsigned y, unsigned) { return y / 3; });
    test("%clusterid.z", [](unsigned, unsigned, unsigned z) { return z; });
    test("%nclusterid.x", [](unsigned, unsigned, unsigned) { return 2; });
    test("%nclusterid.y", [](unsigned, unsigned, unsigned) { return 2; });
    test("%nclusterid.z", [](unsigned, unsigned, unsigned) { return 2; });
    test("%cluster_ctaid.x", [](unsigned x, unsigned, unsigned) { return x % 2; });
    test("%cluster_ctaid.y", [](unsigned, unsigned y, unsigned) { return y % 3; });
    test("%cluster_ctaid.z", [](unsigned, unsigned, unsigned) { return 0; });
    test("%cluster_nctaid.x", [](unsigned, unsigned, unsigned) { return 2; });
    test("%cluster_nctaid.y", [](unsigned, unsigned, unsigned) { return 3; });
    test("%cluster_nctaid.z", [](unsigned, unsigned, unsigned) { return 1; });
    test("%cluster_ctarank", [](unsigned x, unsigned y, unsigned) { return x % 2 + y % 3 * 2; });
    test("%cluster_nctarank", [](unsigned, unsigned, unsigned) { return 6; });
    const std::string is_explicit = "mov.pred %p, %is_explicit_cluster;\nselp.b32 %d, 1, 2, %p;";
    EXPECT_EQ(words_of_blocks(is_explicit, grid, cluster), Words(48, 1));
}

TEST(ClusterRegisterTest, CoversAClusterInAllDirections) {
    constexpr sim::Extent3 grid{2, 4, 6};
    constexpr sim::Extent3 cluster{1, 2, 3};
    const Words words = words_of_blocks("mov.u32 %d, %cluster_ctarank;", grid, cluster);
    for (unsigned i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], i / 2 % 4 % 2 + i / 8 % 3 * 2) << i;
}

// The word that each thread writes has a bit for each of the conditions.
TEST(ClusterAddressTest, MapsAddressesToEachBlock) {
    struct Mapping {
        std::string map;      // of `memory` + 16 in the block with the rank %c
        std::string pointer;  // register with the result
        std::string rank;     // instruction for the rank of the address
        std::string load;     // loads %d
    };
    const std::string to_generic = "cvt.u64.u32 %y, %f;\nadd.s64 %y, %y, 16;\ncvta.shared.u64 %y, %y;\n";
    const Mapping mappings[] = {
        {"mapa.shared::cluster.u32 %g, memory+16, %c;", "%g", "getctarank.shared::cluster.u32", "ld.shared::cluster.u32"},
        {"add.u32 %g, %f, 16;\nmapa.shared::cluster.u32 %g, %g, %c;", "%g", "getctarank.shared::cluster.u32",
         "ld.shared::cluster.u32"},
        {"mapa.shared::cluster.u64 %x, memory+16, %c;", "%x", "getctarank.shared::cluster.u64", "ld.shared::cluster.u32"},
        {to_generic + "mapa.u64 %x, %y, %c;", "%x", "getctarank.u64", "ld.u32"},
        {"mapa.shared::cluster.u64 %x, memory+16, %c;\ncvta.shared::cluster.u64 %x, %x;", "%x", "getctarank.u64", "ld.u32"},
        {to_generic + "mapa.u64 %x, %y, %c;\ncvta.to.shared::cluster.u64 %x, %x;", "%x", "getctarank.shared::cluster.u64",
         "ld.shared::cluster.u32"},
    };
    for (const Mapping& each : mappings) {
        for (const unsigned rank : {0u, 1u, 2u, 3u}) {
            const std::string body = cluster_body(
                "add.u32 %d, %a, 100;\nst.shared.u32 [memory+16], %d;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                "mov.u32 %c, " +
                std::to_string(rank) + ";\n" + each.map + "\n" + each.load + " %d, [" + each.pointer + "];\n" + each.rank +
                " %h, " + each.pointer +
                ";\nmul.lo.u32 %h, %h, 1000;\nadd.u32 %d, %d, %h;\n"
                "st.global.u32 [%mine], %d;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;");
            EXPECT_EQ(results_of(body, cluster_launch(8, 32, 4), cluster_memory), Words(8 * 32, 100 + 1001 * rank)) << each.map;
        }
    }
}

TEST(ClusterAddressTest, DistinguishesTheOwnBlock) {
    // Own addresses are equal to mapped ones, and have a rank of their own, so that another block can use them.
    const std::string body = cluster_body(
        "mapa.shared::cluster.u32 %g, %f, %a;\nsetp.eq.u32 %p, %g, %f;\nselp.b32 %d, 1, 0, %p;\n"
        "getctarank.shared::cluster.u32 %g, memory;\nsetp.eq.u32 %p, %g, %a;\n@%p add.u32 %d, %d, 2;\n"
        "cvt.u64.u32 %x, %f;\ncvta.shared.u64 %x, %x;\nisspacep.shared %p, %x;\n@%p add.u32 %d, %d, 4;\n"
        "isspacep.shared::cta %p, %x;\n@%p add.u32 %d, %d, 8;\nisspacep.shared::cluster %p, %x;\n@%p add.u32 %d, %d, 16;\n"
        "xor.b32 %c, %a, 1;\nmapa.u64 %y, %x, %c;\nisspacep.shared %p, %y;\n@!%p add.u32 %d, %d, 32;\n"
        "isspacep.shared::cta %p, %y;\n@!%p add.u32 %d, %d, 64;\nisspacep.shared::cluster %p, %y;\n@%p add.u32 %d, %d, 128;\n"
        "isspacep.global %p, %y;\n@!%p add.u32 %d, %d, 256;\nisspacep.shared::cluster %p, %out;\n@!%p add.u32 %d, %d, 512;\n"
        "st.global.u32 [%mine], %d;");
    EXPECT_EQ(results_of(body, cluster_launch(4, 32, 2), cluster_memory), Words(4 * 32, 1023));
}

TEST(ClusterAddressTest, ComputesAddressesOfRanksThatDoNotExist) {
    const std::string body = cluster_body(
        "mapa.shared::cluster.u32 %g, %f, 5;\nsub.u32 %d, %g, %f;\ncvt.u64.u32 %x, %f;\ncvta.shared.u64 %x, %x;\n"
        "mapa.u64 %y, %x, 5;\nisspacep.shared::cluster %p, %y;\n@%p add.u32 %d, %d, 1;\ngetctarank.u64 %c, %y;\n"
        "mul.lo.u32 %c, %c, 10;\nadd.u32 %d, %d, %c;\nmapa.shared::cluster.u32 %g, %f, 300;\n"
        "getctarank.shared::cluster.u32 %c, %g;\nmul.lo.u32 %c, %c, 1000;\nadd.u32 %d, %d, %c;\nst.global.u32 [%mine], %d;");
    EXPECT_EQ(results_of(body, cluster_launch(2, 32, 2), cluster_memory), expected(64, [](std::uint32_t i) {
                  return ((5 - i / 32) << 24) + 1 + 10 * 5 + 1000 * 44;  // 300 mod 256 is 44
              }));
}

TEST(ClusterAddressTest, PassesOwnAddressesToOtherBlocks) {
    const std::string body = cluster_body(
        "cvt.u64.u32 %x, %f;\ncvta.shared.u64 %x, %x;\nadd.u32 %d, %a, 70;\nst.u32 [%x+64], %d;\n"
        "xor.b32 %c, %a, 1;\nmapa.u64 %y, %x, %c;\nst.u64 [%y], %x;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
        "ld.shared.u64 %z, [memory];\nld.u32 %d, [%z+64];\nst.global.u32 [%mine], %d;\n"
        "barrier.cluster.arrive;\nbarrier.cluster.wait;");
    EXPECT_EQ(results_of(body, cluster_launch(4, 32, 2), cluster_memory),
              expected(128, [](std::uint32_t i) { return 70 + (i / 32 % 2 ^ 1); }));
}

TEST(ClusterAddressTest, AccessesSeveralBlocksInOneInstruction) {
    // Lane i of each warp accesses the block with the rank i % 4.
    const std::string body = cluster_body(
        "add.u32 %d, %index, 1000;\nst.shared.u32 [%e], %d;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
        "rem.u32 %c, %lane, %b;\nmapa.shared::cluster.u32 %g, %e, %c;\natom.shared::cluster.add.u32 %d, [%g+2048], %lane;\n"
        "ld.shared::cluster.u32 %d, [%g];\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
        "ld.shared.u32 %h, [%e+2048];\nadd.u32 %d, %d, %h;\nst.global.u32 [%mine], %d;\n"
        "barrier.cluster.arrive;\nbarrier.cluster.wait;");
    EXPECT_EQ(results_of(body, cluster_launch(4, 64, 4), cluster_memory), expected(256, [](std::uint32_t i) {
                  const unsigned thread = i % 64, lane = i % 32, rank = i / 64;
                  return 1000 + lane % 4 * 64 + thread + (lane % 4 == rank ? 4 * lane : 0);
              }));
}

// Calls `visit` for each choice of alternatives in the groups of a row.
void for_each_choice(std::string_view groups, const std::string& chosen, const std::function<void(const std::string&)>& visit) {
    if (groups.empty()) return visit(chosen);
    std::string_view group = sim::ptx::take_part(groups, ' ');
    if (group.starts_with('[')) {
        for_each_choice(groups, chosen, visit);
        group = group.substr(1, group.size() - 2);
    }
    while (!group.empty()) for_each_choice(groups, chosen + std::string(sim::ptx::take_part(group, '|')), visit);
}

TEST(ClusterFormTest, HasAHandlerForEachAlternative) {
    int count = 0;
    for (const sim::ptx::Form& form : sim::ptx::cluster_forms()) {
        for_each_choice(form.modifiers, std::string(form.opcode), [&](const std::string& text) {
            const std::string wide = text.ends_with("64") ? "%x" : "%c";
            const std::string operands = form.opcode == "mapa"         ? (text.ends_with("64") ? " %y, %x, %b" : " %d, %c, %b")
                                         : form.opcode == "getctarank" ? " %d, " + wide
                                                                       : "";
            const auto image = sim::ptx::read(control_kernel(text + operands + ";"), 99990).image;
            sim::ptx::Executable executable(image.code, image.version, image.target,
                                            [](std::string_view) { return std::nullopt; });
            const sim::ptx::Program& program = executable.find_kernel("test")->kernel();
            EXPECT_TRUE(program.problems.empty()) << text << ": " << *program.problems.front();
            ++count;
        });
    }
    EXPECT_EQ(count, 18);
}

}  // namespace
}  // namespace cubind::testing::cluster_tests
