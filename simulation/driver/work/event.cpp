// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/event.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

CUresult RecordOperation::plan(Plan& plan) const {
    // A separate Progress is necessary, because the event completes before the launch does.
    const auto progress = std::make_shared<Progress>();
    const auto time = std::make_shared<Event::Clock::time_point>();
    const auto shared = event->begin_shared_record();
    plan.steps.push_back([=] {
        *time = Event::Clock::now();
        if (shared != nullptr) shared->complete();
        progress->advance();
    });
    plan.records.push_back({event, {{progress, 1}, true, {}, time, shared != nullptr ? shared->number : 0}});
    return CUDA_SUCCESS;
}

CUresult WaitOperation::plan(Plan& plan) const {
    // The wait uses the event's record at the time of the launch, so that no launch waits for a later one.
    plan.steps.push_back([ticket = event->record().ticket] { ticket.wait(); });
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
