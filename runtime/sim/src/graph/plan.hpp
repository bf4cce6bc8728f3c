// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "graph/graph_memory.hpp"
#include "objects/event/event.hpp"
#include "objects/stream/work_queue.hpp"

namespace CUBIND_NAMESPACE::sim {

struct Condition;

/// The steps of one launch of a graph. The plan owns all that it needs, so that the graph may change or be destroyed in
/// the meantime.
struct Plan {
    Plan(bool own_frees_first, std::shared_ptr<const Context> own_context)
        : frees_first(own_frees_first), context(std::move(own_context)) {}

    /// Publishes the records of events and marks memory as being freed, once the launch can no longer fail.
    void commit();
    /// Frees the memory that was allocated for a launch that failed.
    void roll_back();

    const bool frees_first;                        ///< whether memory of previous launches is freed first
    const std::shared_ptr<const Context> context;  ///< context of the launch; loops end when it is destroyed
    std::vector<WorkQueue::Work> steps;
    std::vector<std::pair<std::shared_ptr<Event>, Event::Record>> records;
    std::vector<std::shared_ptr<Allocation>> allocated;
    std::vector<CUdeviceptr> freed;
    std::vector<std::shared_ptr<Condition>> conditions;
};

/// Performs the steps in order.
void run_steps(const std::vector<WorkQueue::Work>& steps);

}  // namespace CUBIND_NAMESPACE::sim
