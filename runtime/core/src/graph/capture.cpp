// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/capture.hpp"

#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include <utility>

#include "support/driver.hpp"
#include "support/kept_by_graph.hpp"

namespace cubind {

namespace detail {
namespace {

/// Objects that the driver keeps.
class Kept : public Deferred {
public:
    explicit Kept(std::shared_ptr<const void> what) noexcept : what_(std::move(what)) {}

private:
    std::shared_ptr<const void> what_;
};

}  // namespace

// ---- the stream ----------------------------------------------------------------------------------------------------------

BuilderStream::BuilderStream(ContextRef context) : state_(nullptr) {
    Stream stream(context);
    state_ = own_stream(stream.release(), context.native_handle());
}

BuilderStream::BuilderStream(ContextRef context, StreamRef somebodys)
    : state_(own_stream(somebodys.native_handle(), context.native_handle())) {
    state_->disown();
}

BuilderStream::~BuilderStream() {
    set_retainer(nullptr);
    state_->remove_user();
}

}  // namespace detail

// ---- a builder's state ---------------------------------------------------------------------------------------------------

GraphBuilder::State::~State() {
    abandon();
}

driver::CUgraph GraphBuilder::State::built() const {
    if (graph == nullptr) detail::throw_misuse("this GraphBuilder has no graph: begin_building() and end_building() make it");
    return graph;
}

void GraphBuilder::State::keep_by_graph() {
    if (is_kept_by_graph || kept->empty()) return;
    detail::keep_by_graph(graph, std::make_unique<detail::Kept>(kept));
    is_kept_by_graph = true;
}

void GraphBuilder::State::leave_capture() noexcept {
    if (retainer && !is_fork) retainer->end();
    stream.set_retainer(nullptr);
    retainer.reset();
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
