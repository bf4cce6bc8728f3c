// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

void Plan::commit() {
    for (auto& [event, record] : records) event->set_record(std::move(record));
    for (const CUdeviceptr address : freed) memory.begin_free(address);
}

void Plan::roll_back() {
    for (const auto& allocation : allocated) {
        if (allocation == nullptr) continue;
        memory.remove(allocation->base, [&](const Allocation& each) { return &each == allocation.get(); });
    }
}

void run_steps(const std::vector<WorkQueue::Work>& steps) {
    for (const WorkQueue::Work& step : steps) step();
}

}  // namespace CUBIND_NAMESPACE::sim
