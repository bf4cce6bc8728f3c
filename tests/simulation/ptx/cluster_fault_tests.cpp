// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of clusters that wait for ever, or access shared memory wrongly. The statuses of accesses are those of an H200.
#include <gmock/gmock.h>

#include "cluster_test.hpp"

namespace cubind::testing::cluster_fault_tests {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

sim::ptx::GridResult fail(const std::string& body, const ControlLaunch& launch) {
    return run_control(control_kernel(cluster_body(body), cluster_memory), launch).result;
}

void expect_failure(const std::string& body, const ControlLaunch& launch, driver::CUresult status, const std::string& reason) {
    const sim::ptx::GridResult result = fail(body, launch);
    EXPECT_EQ(result.status, status) << body;
    EXPECT_THAT(result.problem, HasSubstr(reason)) << body;
}

TEST(ClusterFaultTest, NamesARankThatDoesNotExist) {
    const std::string reason = "shared memory of rank 4 of a cluster of 4 blocks";
    const std::string map = "mapa.shared::cluster.u32 %g, %f, 4;\n";
    const std::string map_generic = "cvt.u64.u32 %x, %f;\ncvta.shared.u64 %x, %x;\nmapa.u64 %x, %x, 4;\n";
    for (const std::string access :
         {"ld.shared::cluster.u32 %d, [%g];", "st.shared::cluster.u32 [%g], %d;", "atom.shared::cluster.add.u32 %d, [%g], 1;",
          "red.shared::cluster.add.u32 [%g], 1;", "ld.relaxed.cluster.shared::cluster.u32 %d, [%g];"}) {
        expect_failure(map + access, cluster_launch(4, 32, 4), driver::CUDA_ERROR_LAUNCH_FAILED, reason);
    }
    for (const std::string access : {"ld.u32 %d, [%x];", "st.u32 [%x], %d;", "atom.add.u32 %d, [%x], 1;"}) {
        expect_failure(map_generic + access, cluster_launch(4, 32, 4), driver::CUDA_ERROR_LAUNCH_FAILED, reason);
    }
    // The result of a mapping that no instruction uses is no fault.
    EXPECT_EQ(fail(map + map_generic, cluster_launch(4, 32, 4)).status, driver::CUDA_SUCCESS);
}

TEST(ClusterFaultTest, NamesAMappedAddressThatIsNotShared) {
    expect_failure("mapa.u64 %x, %out, 0;\nld.u32 %d, [%x];", cluster_launch(4, 32, 4), driver::CUDA_ERROR_ILLEGAL_ADDRESS,
                   "is not within an allocation");
}

TEST(ClusterFaultTest, NamesABlockThatHasEnded) {
    const std::string body =
        "setp.eq.u32 %p, %a, 1;\n@%p exit;\nmov.u32 %c, 0;\nLOOP: nanosleep.u32 100;\nadd.u32 %c, %c, 1;\n"
        "setp.lt.u32 %p, %c, 50;\n@%p bra LOOP;\nmapa.shared::cluster.u32 %g, %f, 1;\nld.shared::cluster.u32 %d, [%g];";
    expect_failure(body, cluster_launch(2, 32, 2), driver::CUDA_ERROR_LAUNCH_FAILED,
                   "shared memory of rank 1 of the cluster, whose threads have all ended");
}

TEST(ClusterFaultTest, NamesAnAccessBehindTheSharedMemoryOfABlock) {
    expect_failure("mapa.shared::cluster.u32 %g, %f, 1;\nld.shared::cluster.u32 %d, [%g+4096];" + std::string(synchronize),
                   cluster_launch(2, 32, 2), driver::CUDA_ERROR_LAUNCH_FAILED, "is not within the 4096 bytes of shared memory");
}

TEST(ClusterFaultTest, NamesTheMemoryOfAnotherBlockInTheStateSpaceOfTheBlock) {
    const std::string map = "setp.eq.u32 %p, %a, 1;\n@%p bra END;\nmapa.shared::cluster.u32 %g, %f, 1;\n";
    for (const std::string access :
         {"ld.shared.u32 %d, [%g];", "st.shared::cta.u32 [%g], %d;", "atom.shared.add.u32 %d, [%g], 1;"}) {
        expect_failure(map + access + "\nEND:\n" + synchronize, cluster_launch(2, 32, 2), driver::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                       "shared memory of rank 1 of the cluster, but the state space is that of the own rank 0");
    }
}

TEST(ClusterFaultTest, NamesMisalignedAddresses) {
    const sim::ptx::GridResult result =
        fail("mapa.shared::cluster.u32 %g, %f, 1;\nld.shared::cluster.u32 %d, [%g+2];", cluster_launch(2, 32, 2));
    EXPECT_EQ(result.status, driver::CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST(ClusterFaultTest, FindsDeadlocks) {
    // A warp of one block waits for the others of its block, which wait for it in the cluster.
    const std::string body =
        "setp.eq.u32 %p, %a, 2;\nsetp.ge.and.u32 %p, %index, 0, %p;\nmov.u32 %c, %tid.x;\n"
        "setp.lt.and.u32 %p, %c, 32, %p;\n@%p bar.sync 0;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;";
    for (const unsigned workers : {1u, 4u}) {
        ControlLaunch launch = cluster_launch(8, 64, 4);
        launch.prototype.workers = workers;
        const sim::ptx::GridResult result = fail(body, launch);
        EXPECT_EQ(result.status, driver::CUDA_ERROR_LAUNCH_TIMEOUT);
        EXPECT_THAT(result.problem,
                    AllOf(HasSubstr("deadlock: no thread of the cluster"), HasSubstr("of kernel test can continue"),
                          HasSubstr("32 threads from (0, 0, 0) wait for barrier 0 at PTX line"),
                          HasSubstr("threads from (0, 0, 0) wait for the barrier of the cluster at PTX line")));
        // The block that is the reason comes first.
        const std::size_t first = result.problem.find("; in block (");
        ASSERT_NE(first, std::string::npos) << result.problem;
        EXPECT_THAT(result.problem.substr(first, 80), HasSubstr("wait for barrier 0"));
    }
    const sim::ptx::GridResult alone =
        fail("mov.u32 %c, %tid.x;\nsetp.lt.u32 %p, %c, 32;\n@%p bar.sync 0;\n" + std::string(synchronize), {.threads = 64});
    EXPECT_EQ(alone.status, driver::CUDA_ERROR_LAUNCH_TIMEOUT);
    EXPECT_THAT(alone.problem, AllOf(HasSubstr("deadlock: no thread of block (0, 0, 0)"), HasSubstr("wait for barrier 0"),
                                     HasSubstr("wait for the barrier of the cluster")));
}

TEST(ClusterFaultTest, FindsADeadlockWithinOneBlock) {
    const sim::ptx::GridResult result =
        fail("mov.u32 %c, %tid.x;\nsetp.lt.u32 %p, %c, 32;\n@%p bar.sync 1, 64;\nbar.sync 2, 64;", cluster_launch(2, 64, 2));
    EXPECT_EQ(result.status, driver::CUDA_ERROR_LAUNCH_TIMEOUT);
    EXPECT_THAT(result.problem,
                AllOf(HasSubstr("deadlock: no thread of block ("), HasSubstr("wait for barrier 1"), Not(HasSubstr("cluster"))));
}

TEST(ClusterFaultTest, RejectsAnArrivalWithoutAWait) {
    const sim::ptx::GridResult result = fail("barrier.cluster.arrive;\nbarrier.cluster.arrive;", cluster_launch(2, 32, 2));
    EXPECT_EQ(result.status, driver::CUDA_ERROR_ILLEGAL_INSTRUCTION);
    EXPECT_THAT(result.problem, HasSubstr("again"));
}

TEST(ClusterFaultTest, RejectsAWaitWithoutAnArrival) {
    const sim::ptx::GridResult result =
        fail("setp.ne.u32 %p, %lane, 9;\n@%p barrier.cluster.arrive;\nbarrier.cluster.wait;", cluster_launch(2, 32, 2));
    EXPECT_EQ(result.status, driver::CUDA_ERROR_ILLEGAL_INSTRUCTION);
    EXPECT_THAT(result.problem, AllOf(HasSubstr("without having arrived"), HasSubstr("thread (9, 0, 0)")));
}

TEST(ClusterFaultTest, RefusesAsynchronousTransactions) {
    for (const std::string text :
         {"mapa.shared::cluster.u32 %g, %f, 1;\nst.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%g], %d, [%g];",
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%f], [%in], 16, [%f];",
          "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%f];"}) {
        const sim::ptx::GridResult result = fail(text, cluster_launch(2, 32, 2));
        EXPECT_EQ(result.status, driver::CUDA_ERROR_NOT_SUPPORTED) << text;
        EXPECT_THAT(result.problem, AnyOf(HasSubstr("st.async"), HasSubstr("cp.async.bulk"), HasSubstr("mbarrier.arrive")))
            << text;
    }
}

}  // namespace
}  // namespace cubind::testing::cluster_fault_tests
