// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/detail/owner.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <optional>

namespace cubind {

class GraphBuilder;

namespace detail {
class GraphState;
}

/// How a graph is made ready to run.
struct GraphCompleteOptions {
    /// Before each launch free what the launch before it allocated and nobody freed, rather than refuse to launch.
    bool auto_free_on_launch = false;
    /// Let each node have the priority of the stream that it was captured from, rather than that of the launch.
    bool use_node_priority = false;
    /// Let kernels launch it, too. It has to be uploaded before they do.
    bool device_launch = false;
    /// Upload it in this stream's order, so that the first launch need not.
    std::optional<StreamRef> upload_stream = {};
};

/// A view of a graph that can run: work that was captured once and is submitted with one call. It owns nothing and comes from the native
/// handle by itself. Launches of one graph never overlap each other, on whatever streams. One thread at a time uses a graph.
class GraphRef {
public:
    using Handle = driver::CUgraphExec;

    GraphRef(Handle handle) noexcept : handle_(handle) {}

    /// The native handle; throws std::invalid_argument for a graph that was moved from or closed.
    Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]] detail::throw_moved_from("Graph");
        return handle_;
    }

    /// Submits all of its work, to be done after what the stream was given before and after earlier launches of it (cuGraphLaunch).
    void launch(StreamRef stream) const;

    /// Does in stream order what the first launch would have to do besides launching (cuGraphUpload).
    void upload(StreamRef stream) const;

    /// Has it do what the builder has captured, from the next launch on: the same nodes with other parameters (cuGraphExecUpdate). What
    /// the former work kept is let go. Throws Error where the graphs differ in more, says in what, and leaves this one as it was.
    void update(const GraphBuilder& builder) const;

    friend bool operator==(GraphRef left, GraphRef right) noexcept { return left.handle_ == right.handle_; }

private:
    friend class detail::Owner<GraphRef>;
    static GraphRef empty() noexcept { return nullptr; }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    friend class Graph;
    GraphRef(Handle handle, detail::GraphState* state) noexcept : handle_(handle), state_(state) {}

    Handle handle_;
    detail::GraphState* state_ = nullptr;  // of an owned graph
};

/// A graph that the object owns, from GraphBuilder::complete(). Kernels, buffers and host functions that its work uses live until it and
/// its last launch() are done. Destroying it does not wait for launches. Others have to be waited for first: those by the native handle
/// and by kernels. What release() leaves behind keeps what it uses for good.
class Graph : public detail::Owner<GraphRef> {
public:
    /// Takes ownership of a graph that was instantiated elsewhere, unless it throws.
    static Graph from_native_handle(Handle handle);

private:
    friend class GraphBuilder;
    Graph(Handle handle, detail::GraphState* state) noexcept : Owner(GraphRef(handle, state)) {}
};

}  // namespace cubind
