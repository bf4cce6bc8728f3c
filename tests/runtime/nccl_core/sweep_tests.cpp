// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Each call of NCCL and of the driver that the classes make, failing once.
#include <chrono>
#include <cstddef>

#include "nccl_test.hpp"

namespace cubind::testing {
namespace {

class NcclSweepTest : public NcclTest {
protected:
    NcclSweepTest() { Device(2).set_current(); }

    /// The destructor of a communicator aborts it if its state cannot be learnt. Memory is freed without a wait if nobody knows
    /// whether the stream is capturing.
    static std::size_t sweep(const std::function<void()>& operation) {
        const auto from_the_start = [&] {
            stand_in() = {};  // a release that fails before it reaches the stand-in leaves its counts
            operation();
        };
        const std::size_t calls = CoreTest::sweep(from_the_start, {"ncclCommGetAsyncError", "cuStreamIsCapturing"});
        return calls;
    }

    std::span<float> data_{reinterpret_cast<float*>(0x10000), 8};
    Stream stream_{Device(2)};
};

TEST_F(NcclSweepTest, CreationAndDestruction) {
    EXPECT_GT(sweep([] { communicator().close(); }), 2u);
    sweep([] { static_cast<void>(communicator()); });
    sweep([] { communicator().abort(); });
    sweep([] { static_cast<void>(nccl::Communicator::init_all(std::vector<Device>{Device(0), Device(1)})); });
    sweep([] {
        nccl::Communicator first = communicator();
        const nccl::ncclComm_t handle = first.native_handle();
        nccl::Communicator second = nccl::Communicator::from_native_handle(handle);
        static_cast<void>(first.release());
    });
}

TEST_F(NcclSweepTest, DerivedCommunicators) {
    sweep([] {
        nccl::Communicator parent = communicator();
        {
            nccl::Communicator part = parent.split(0);
            EXPECT_EQ(part.size(), 7);
            part.close();
        }
        parent.shrink(std::vector<int>{1}).close();
        nccl::Communicator::init(Device(1), 4, 3, std::vector<nccl::UniqueId>{nccl::UniqueId::create()}).close();
        const nccl::UniqueId id = parent.grow_id();
        parent.grow(5, id).close();
        nccl::Communicator::join(Device(1), 5, 4, id).close();
        parent.close();
    });
}

TEST_F(NcclSweepTest, Operations) {
    EXPECT_GT(sweep([this] {
                  nccl::Communicator all = communicator();
                  all.all_reduce(stream_, data_);
                  all.reduce(stream_, data_, 0);
                  all.broadcast(stream_, data_, 0);
                  all.all_gather(stream_, data_);
                  all.reduce_scatter(stream_, data_);
                  all.all_to_all(stream_, data_, data_);
                  all.gather(stream_, data_.first(2), data_, 2);
                  all.scatter(stream_, data_, data_.first(2), 2);
                  {
                      nccl::Group group;
                      all.send(stream_, data_, 0);
                      all.receive(stream_, data_, 0);
                      group.end();
                  }
                  { const nccl::Group group; }
                  all.all_reduce(stream_, data_, nccl::sum, {.max_ctas = 1});
                  all.signal(stream_, 1);
                  all.wait_signal(stream_, {.peer = 1});
                  static_cast<void>(all.status());
                  static_cast<void>(all.memory_stat(nccl::ncclStatGpuMemTotal));
                  all.wait(stream_, std::chrono::seconds(60));
                  all.suspend();
                  all.resume();
                  all.revoke();
                  all.finalize();
                  all.close();
              }),
              20u);
}

TEST_F(NcclSweepTest, MemoryAndOperators) {
    sweep([this] {
        nccl::Communicator all = communicator();
        nccl::NcclMemoryResource memory(Device(2));
        Buffer buffer = memory.allocate(stream_, 4096);
        const std::span<float> elements = buffer.span<float>();
        nccl::RegisteredBuffer registered(all, elements);
        const nccl::RegisteredBuffer second(all, elements);
        nccl::Window window(all, elements);
        const auto scaled = nccl::ReductionOperator::premultiplied_sum(all, 2.0f);
        all.all_reduce(stream_, elements, scaled);
        all.put_signal(stream_, elements, 1, window);
        window.close();
        registered.close();
        buffer.close();
    });
}

}  // namespace
}  // namespace cubind::testing
