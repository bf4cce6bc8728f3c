// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "event/event.hpp"
#include "graph/graph_memory.hpp"
#include "stream/work_queue.hpp"

namespace cubind::sim {

struct Condition;

/// What one launch of a graph does, piece after piece. It owns all that it needs, so that the graph may change or go meanwhile.
struct Plan {
    Plan(bool frees, std::shared_ptr<const Context> launching) : frees_first(frees), context(std::move(launching)) {}

    /// What is known only once the launch cannot fail any more: recorded events and memory that will be freed.
    void commit();
    /// Takes back what was allocated for a launch that fails.
    void roll_back();

    const bool frees_first;  ///< memory of former launches
    const std::shared_ptr<const Context> context;  ///< that launches; when it goes, nothing is repeated any more
    std::vector<WorkQueue::Work> steps;
    std::vector<std::pair<std::shared_ptr<Event>, Event::Record>> records;
    std::vector<std::shared_ptr<Allocation>> allocated;
    std::vector<CUdeviceptr> freed;
    std::vector<std::shared_ptr<Condition>> conditions;
};

/// Does the pieces in order.
void run_steps(const std::vector<WorkQueue::Work>& steps);

}  // namespace cubind::sim
