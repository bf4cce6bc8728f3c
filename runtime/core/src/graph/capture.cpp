// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/capture.hpp"

#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include <utility>

#include "support/driver.hpp"
#include "support/kept_by_graph.hpp"

namespace cubind {

// ---- what a graph keeps --------------------------------------------------------------------------------------------------

namespace detail {
namespace {

class Kept : public Deferred {
public:
    explicit Kept(std::shared_ptr<const void> what) noexcept : what_(std::move(what)) {}

private:
    std::shared_ptr<const void> what_;
};

}  // namespace

void CaptureKeeper::keep(std::shared_ptr<const void> what) {
    const void* const address = what.get();
    if (address == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (kept_.contains(address)) return;
    keep_by_graph(graph_of_capture(origin_), std::make_unique<Kept>(std::move(what)));
    kept_.insert(address);
}

// ---- the stream ----------------------------------------------------------------------------------------------------------

BuilderStream::BuilderStream(ContextRef context) : state_(nullptr) {
    Stream stream(context);
    state_ = own_stream(stream.release());
}

BuilderStream::BuilderStream(StreamRef somebodys) : state_(own_stream(somebodys.native_handle())) {
    state_->give_up();
}

BuilderStream::~BuilderStream() {
    set_keeper(nullptr);
    state_->remove_user();
}

}  // namespace detail

// ---- a builder's state ---------------------------------------------------------------------------------------------------

GraphBuilder::State::~State() {
    abandon();
}

void GraphBuilder::State::leave_capture() noexcept {
    if (keeper && !is_fork) keeper->end();
    stream.set_keeper(nullptr);
    keeper.reset();
}

void GraphBuilder::State::abandon() noexcept {
    if (is_building() && !is_fork) {
        const auto ended = driver::cuStreamEndCapture(stream.handle());  // its failure is that of the capture
        if (ended.value != nullptr) (void)driver::cuGraphDestroy(ended.value);
    }
    leave_capture();
    if (const driver::CUgraph unused = std::exchange(graph, nullptr)) {
        detail::report_unless_released(driver::cuGraphDestroy(unused), "destroy a graph", unused);
    }
}

}  // namespace cubind
