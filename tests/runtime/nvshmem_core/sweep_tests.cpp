// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Each call of NVSHMEM and of the driver that the classes make, failing once. A single PE releases its objects while an exception
// passes.
#include <cstddef>
#include <cstdint>

#include "nvshmem_test.hpp"
#include "support/session_state.hpp"

namespace cubind::testing {
namespace {

class NvshmemSweepTest : public NvshmemTest {
protected:
    NvshmemSweepTest() { Device(2).set_current(); }

    /// Ends a session that was left running, because its context could not be made current.
    struct Remains {
        ~Remains() {
            if (stand_in().size == 0) return;
            (void)driver::cuMemFree(stand_in().memory);
            nvshmem::detail::release_process();
            stand_in() = {};
        }
    };

    /// The heap of the stand-in is memory of the driver. Memory is freed without a wait if nobody knows whether the stream is
    /// capturing.
    static std::size_t sweep(const std::function<void()>& operation) {
        const auto without_remains = [&] {
            stand_in() = {};  // a release that fails before it reaches the stand-in leaves its counts
            const Remains remains;
            operation();
        };
        return CoreTest::sweep(without_remains, {"cuMemAlloc_v2", "cuMemFree_v2", "cuStreamIsCapturing"});
    }
    static nvshmem::Session alone() { return begin(1, 0); }

    Stream stream_{Device(2)};
};

TEST_F(NvshmemSweepTest, BeginningAndEnd) {
    EXPECT_GT(sweep([] { alone().close(); }), 2u);
    sweep([] { static_cast<void>(alone()); });
    int communicator = 0;
    sweep([&] { static_cast<void>(nvshmem::Session::from_mpi(Device(2), &communicator)); });
}

TEST_F(NvshmemSweepTest, Operations) {
    EXPECT_GT(sweep([this] {
                  const nvshmem::Session session = alone();
                  const nvshmem::SymmetricMemoryResource memory(session);
                  auto data = memory.allocate<float>(stream_, 8);
                  auto signal = memory.allocate<std::uint64_t>(stream_, 1);
                  session.put(stream_, data, data, 0);
                  session.get(stream_, data, data, 0);
                  session.put(stream_, data, data, 4, {.source = 2}, 0);
                  session.put_signal(stream_, data, data, signal, 1, nvshmem::SignalOperation::set, 0);
                  session.wait_signal(stream_, signal, nvshmem::Comparison::equal, 1);
                  session.quiet(stream_);
                  const nvshmem::Team& world = session.world();
                  world.all_reduce(stream_, data);
                  world.reduce_scatter(stream_, data, data);
                  world.all_gather(stream_, data, data);
                  world.broadcast(stream_, data, data, 0);
                  world.all_to_all(stream_, data, data);
                  world.barrier(stream_);
                  world.sync(stream_);
                  world.barrier();
                  world.sync();
                  signal.close();
              }),
              15u);
}

TEST_F(NvshmemSweepTest, TeamsMemoryAndCode) {
    sweep([this] {
        nvshmem::Session session = alone();
        {
            const nvshmem::Team team = session.world().split_strided(0, 1, 1);
            const auto grid = session.world().split_2d(1);
        }
        auto own = Device(2).allocate<int>(stream_, 8);
        {
            nvshmem::RegisteredMemory source(session, own);
            source.close();
            const nvshmem::RegisteredMemory again(session, own);
            nvshmem::SymmetricMemory<int> shared(session, own.span());
            shared.close();
            const nvshmem::SymmetricMemory<int> shared_again(session, own.span());
        }
        {
            const auto code = ObjectCode::from_bytes(
                CodeType::ptx, ".version 7.0\n.target sm_60\n.address_size 64\n.visible .entry empty()\n{\n    ret;\n}\n");
            nvshmem::LinkedCode linked(session, code);
            linked.close();
            const nvshmem::LinkedCode again(session, code);
        }
        auto counter = nvshmem::SymmetricMemoryResource(session).allocate<int>(stream_, 1);
        nvshmem::atomic_add(session, stream_, counter, 1, 0);
        stream_.synchronize();
        counter.close();
        session.close();
    });
}

}  // namespace
}  // namespace cubind::testing
