// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/lifetime/detail/stream_state.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

#include "core_test.hpp"
#include "gate.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The granularity of virtual memory on the simulated devices, in bytes.
constexpr std::size_t unit = std::size_t{2} << 20;

/// Two simulated devices of 1 GiB, a stream on the first, and no current context.
class MemoryTest : public CoreTest {
protected:
    explicit MemoryTest(const sim::Options& options = {.devices = 2, .memory = std::size_t{1} << 30}) : CoreTest(options) {}

    /// Returns the allocated bytes of the default pool.
    static std::uint64_t used(Device device = Device(0)) { return DeviceMemoryResource(device).attributes().used_mem_current(); }

    /// Expects std::invalid_argument whose message contains the texts.
    template <class... Texts>
    static void expect_misuse(const std::function<void()>& function, const Texts&... texts) {
        EXPECT_THAT(message_of<std::invalid_argument>(function), AllOf(HasSubstr(texts)...));
    }

    Device device{0};
    Stream stream{device};
};

/// The machine of tests whose other processes are children of fork(), although the fixture has used the driver before. A GPU does
/// not allow this; programs fork before.
inline const sim::Options machine_of_children = {.devices = 2, .memory = std::size_t{1} << 30, .allows_fork = true};

/// A resource of host memory that records the calls of deallocate().
class RecordingResource : public MemoryResourceBase {
public:
    driver::CUdeviceptr allocate(StreamRef, std::size_t size, std::size_t alignment) override {
        return reinterpret_cast<driver::CUdeviceptr>(::operator new(size, std::align_val_t(alignment)));
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t, std::size_t alignment) override {
        if (throws) throw std::runtime_error("cannot be freed");
        ::operator delete(reinterpret_cast<void*>(pointer), std::align_val_t(alignment));
        streams.push_back(stream);
        contexts.push_back(driver::cuCtxGetCurrent().value);  // none without a driver
        alignments.push_back(alignment);
    }
    bool is_device_accessible() const noexcept override { return false; }
    bool is_host_accessible() const noexcept override { return true; }

    bool throws = false;
    std::vector<StreamRef> streams;
    std::vector<ContextRef> contexts;
    std::vector<std::size_t> alignments;
};

/// A capture of a stream like that of a GraphBuilder. It retains the objects of the captured work until it is
/// destroyed.
class Capture : public detail::Retainer {
public:
    explicit Capture(StreamRef stream, driver::CUstreamCaptureMode mode = driver::CU_STREAM_CAPTURE_MODE_GLOBAL)
        : stream_(stream) {
        detail::StreamAccess::state(stream)->set_retainer(this);
        check(driver::cuStreamBeginCapture(stream.native_handle(), mode));
    }
    ~Capture() {
        stop();
        check(driver::cuGraphDestroy(graph));
    }

    /// Ends the capture; the graph is destroyed with the object.
    void stop() {
        if (graph != nullptr) return;
        detail::StreamAccess::state(stream_)->set_retainer(nullptr);
        graph = check(driver::cuStreamEndCapture(stream_.native_handle()));
    }

    std::vector<driver::CUgraphNodeType> node_types() {
        stop();
        const std::size_t count = check(driver::cuGraphGetNodes(graph, nullptr, 0));
        std::vector<driver::CUgraphNode> nodes(count);
        check(driver::cuGraphGetNodes(graph, nodes.data(), count));
        std::vector<driver::CUgraphNodeType> types;
        for (const driver::CUgraphNode node : nodes) types.push_back(check(driver::cuGraphNodeGetType(node)));
        return types;
    }

    void retain(std::shared_ptr<const void> object) override { retained.push_back(std::move(object)); }

    std::vector<std::shared_ptr<const void>> retained;
    driver::CUgraph graph = nullptr;

private:
    StreamRef stream_;
};

}  // namespace cubind::testing
