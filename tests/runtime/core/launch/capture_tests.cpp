// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_function.hpp>

#include <memory>
#include <vector>

#include "launch/kernel_state.hpp"
#include "launch_test.hpp"

namespace cubind::testing {
namespace {

class RecordingRetainer final : public detail::Retainer {
public:
    void retain(std::shared_ptr<const void> what) override { retained.push_back(std::move(what)); }
    std::vector<std::shared_ptr<const void>> retained;
};

/// Device memory that captured work can retain, like a Buffer.
struct RetainedMemory {
    std::shared_ptr<int> owned = std::make_shared<int>();
    driver::CUdeviceptr native_handle() const { return 16; }
    friend std::shared_ptr<const void> share(const RetainedMemory& memory) { return memory.owned; }
};

/// A stream like that of a GraphBuilder during a capture. Its retainer records the objects that it retains.
class LaunchCaptureTest : public LaunchTest {
protected:
    LaunchCaptureTest() {
        state->disown();  // the fixture's stream owns it
        state->set_retainer(&retainer);
    }
    ~LaunchCaptureTest() override { state->remove_user(); }

    RecordingRetainer retainer;
    detail::StreamState* const state = detail::own_stream(stream.native_handle(), stream.context().native_handle());
    StreamRef captured = detail::StreamAccess::view(state);
};

TEST_F(LaunchCaptureTest, RetainsTheKernelAndTheMemory) {
    const Kernel saxpy = kernel("saxpy");
    const RetainedMemory x, y;
    const std::vector<std::shared_ptr<const void>> expected{x.owned, y.owned, detail::KernelAccess::state(saxpy)};
    launch(captured, {}, saxpy, 1.0f, x, y, std::size_t{3});
    EXPECT_EQ(retainer.retained, expected);
    retainer.retained.clear();
    launch_unchecked(captured, {}, saxpy, 1.0f, x, y, std::size_t{3});
    EXPECT_EQ(retainer.retained, expected);
    retainer.retained.clear();
    launch_validated(captured, {}, saxpy, 1.0f, x, y, std::size_t{3});
    EXPECT_EQ(retainer.retained, expected);
    retainer.retained.clear();
    const KernelFunction<void(float, float*, float*, std::size_t)> function(saxpy, Device(0));
    function(captured, {}, 1, x, y, 3);
    EXPECT_EQ(retainer.retained, expected);
    retainer.retained.clear();
    launch(captured, {}, saxpy, 1.0f, 0ull, 0ull, std::size_t{3});
    EXPECT_EQ(retainer.retained.size(), 1u);
}

TEST_F(LaunchCaptureTest, RetainsNothingOnOtherStreams) {
    const RetainedMemory x;
    launch(stream, {}, kernel("saxpy"), 1.0f, x, x, std::size_t{3});
    EXPECT_EQ(x.owned.use_count(), 1);
}

TEST_F(LaunchCaptureTest, BecomesANodeOfAGraph) {
    check(driver::cuStreamBeginCapture(stream.native_handle(), driver::CU_STREAM_CAPTURE_MODE_GLOBAL));
    driver::CUgraphDeviceNode node = nullptr;
    launch(captured, {.shared_memory_size = 100000, .device_updatable_kernel_node = &node}, kernel("empty"));
    const auto graph = check(driver::cuStreamEndCapture(stream.native_handle()));
    EXPECT_EQ(check(driver::cuGraphGetNodes(graph, nullptr, 0)), 1u);
}

}  // namespace
}  // namespace cubind::testing
