// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/stream_state.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "graph/node_records.hpp"
#include "lifetime/deferred.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The objects that the work of a graph uses, each stored once. Thread-safe.
class RetainedObjects {
public:
    /// Retains the object; nullptr is ignored.
    void add(std::shared_ptr<const void> object);
    bool empty() const;

private:
    mutable std::mutex mutex_;
    std::unordered_map<const void*, std::shared_ptr<const void>> objects_;
};

/// All objects that an executable graph uses.
struct GraphObjects {
    std::shared_ptr<const RetainedObjects> captured = nullptr;  ///< of a capture
    NodeRecords nodes = {};                                     ///< of nodes that were added explicitly
};

/// Launches the graph. If the driver rejects the launch because of a value, the Error states which memory the graph's memory
/// operations cannot use, because the driver checks this memory only here.
void launch_graph(driver::CUgraphExec graph, StreamRef stream);

/// The objects that launches of a graph use, and the stream or event that shows when the last launch has completed. Launches of
/// one graph run one after another, so all have completed once the last one has. The driver could retain the objects as user
/// objects, but each launch would be several times slower.
class CUBIND_EXPORT GraphWork final : public Deferred {
public:
    explicit GraphWork(GraphObjects objects) noexcept : objects_(std::move(objects)) {}

    void launch(driver::CUgraphExec graph, StreamRef stream);

    /// Returns whether all launches have completed.
    bool is_ready() noexcept override;

    /// Calls change(), which changes the parameters of a node, and replaces the record of the node. The previous record is
    /// destroyed once the launches so far have completed. If change() throws, nothing is replaced.
    template <class Change>
    void update(driver::CUgraphNode node, NodeRecord record, const Change& change) {
        if (has_objects(node, record)) return change();  // the usual change, of numbers only
        auto shared = std::make_shared<const NodeRecord>(std::move(record));
        auto replaced = shares_objects(node, *shared) ? nullptr : std::unique_ptr<GraphWork>(new GraphWork(*this, node));
        NodeRecords::Entry entry = objects_.nodes.prepare(std::move(shared));
        change();
        objects_.nodes.put(node, std::move(entry));
        if (replaced != nullptr && !replaced->is_ready()) destroy_later(replaced.release());
    }

private:
    /// Creates an object that retains the record of one node until the launches of `other` so far have completed.
    GraphWork(const GraphWork& other, driver::CUgraphNode node);

    /// Returns whether the current record of the node has the same objects in the same order.
    bool has_objects(driver::CUgraphNode node, const NodeRecord& next) const noexcept {
        return objects_.nodes.has_objects(node, next);
    }
    /// Returns whether the next record contains all objects of the current record of the node.
    bool shares_objects(driver::CUgraphNode node, const NodeRecord& next) const;
    void launch_on_foreign_stream(driver::CUgraphExec graph, StreamRef stream);
    void record_last_launch();

    GraphObjects objects_;
    StreamUser last_stream_;             // stream of the last launch, if cubind owns it
    std::shared_ptr<const Event> mark_;  // recorded after the last launch, unless there is a last_stream_
    driver::CUcontext context_of_mark_ = nullptr;
};

/// The state of a graph that cubind owns. Its work can outlive it.
class GraphState {
public:
    explicit GraphState(GraphObjects objects);
    GraphState(const GraphState&) = delete;
    GraphState& operator=(const GraphState&) = delete;
    ~GraphState();

    GraphWork& work() const noexcept { return *work_; }
    /// Replaces the work. The previous work is destroyed once its launches have completed.
    void set_work(std::unique_ptr<GraphWork> work) noexcept;
    /// Retains the objects of the work until the process ends, because launches can no longer be observed.
    void disown_work() noexcept { retain_until_exit(work_.release()); }

private:
    std::unique_ptr<GraphWork> work_;
};

}  // namespace CUBIND_NAMESPACE::detail
