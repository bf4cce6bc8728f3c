// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/execution.hpp>

#include <memory>

#include "calls/driver.hpp"
#include "calls/graph_retention.hpp"
#include "stream/host_call.hpp"

namespace CUBIND_NAMESPACE::detail {

std::unique_ptr<HostCall> HostCall::own(HostFunction function) {
    try {
        return std::make_unique<HostCall>(function);
    } catch (...) {
        function.destroy(function.callable);
        throw;
    }
}

void launch_host_function(StreamRef stream, HostFunction function) {
    std::unique_ptr<HostCall> host_call = HostCall::own(function);
    const driver::CUstream handle = StreamAccess::handle(stream);
    HostCall* const data = host_call.get();
    if (Retainer* const retainer = StreamAccess::retainer(stream)) {
        retainer->retain(std::shared_ptr<const HostCall>(std::move(host_call)));
        check(driver::cuLaunchHostFunc(handle, HostCall::call, data));
    } else if (stream.is_capturing()) {
        retain_in_graph(position_of_capture(handle).graph, std::move(host_call));
        check(driver::cuLaunchHostFunc(handle, HostCall::call, data));
    } else {
        (void)host_call.release();  // by now, the function may have run and been destroyed
        const auto launched = driver::cuLaunchHostFunc(handle, HostCall::call_once, data);
        if (!launched.ok()) delete data;
        detail::check_latest(launched);
    }
    destroy_ready_objects();  // earlier host functions
}

}  // namespace CUBIND_NAMESPACE::detail
