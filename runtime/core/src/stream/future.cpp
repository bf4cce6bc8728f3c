// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/future.hpp>

namespace CUBIND_NAMESPACE {
namespace {

template <class Source>
std::future<void> future_of_source(Source source) {
    const auto do_nothing = [] {};
    auto task = std::make_unique<detail::HostTask<decltype(do_nothing), void>>(std::in_place, do_nothing);
    std::future<void> future = task->future();
    detail::observe(source, std::move(task));
    return future;
}

}  // namespace

const std::exception_ptr& detail::abandonment() {
    static const auto& reason =
        *new std::exception_ptr(std::make_exception_ptr(std::future_error(std::future_errc::broken_promise)));
    return reason;
}

void detail::AnyHostTask::on_end(driver::CUresult status) noexcept {
    try {
        if (status != driver::CUDA_SUCCESS) throw_failure_of_work(status);
        run();
    } catch (...) {
        fail(std::current_exception());
    }
}

std::future<void> future_of(StreamRef stream) {
    return future_of_source(stream);
}

std::future<void> future_of(EventRef event) {
    return future_of_source(event);
}

}  // namespace CUBIND_NAMESPACE
