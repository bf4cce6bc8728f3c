// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "contraction/tensor_library.hpp"

#include <map>
#include <mutex>

#include "lifetime/known_contexts.hpp"
#include "lifetime/once_per_driver.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

/// The handle of each device, by its ordinal.
struct TensorHandles {
    std::mutex mutex;
    std::map<int, std::shared_ptr<const TensorHandle>> of_device;
};

}  // namespace

std::string StatusTraits<cutensor::cutensorStatus_t>::advice(cutensor::cutensorStatus_t status) {
    switch (status) {
        case cutensor::CUTENSOR_STATUS_NOT_SUPPORTED:
            return "cuTENSOR has no kernel for these types with this precision, these options and this device: use operands of "
                   "one "
                   "type and ContractionPrecision::automatic.";
        case cutensor::CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE:
            return "Raise PlanOptions::workspace_limit, or leave it out.";
        case cutensor::CUTENSOR_STATUS_ARCH_MISMATCH:
            return "This release of cuTENSOR does not know the device: install a newer one.";
        case cutensor::CUTENSOR_STATUS_INSUFFICIENT_DRIVER:
            return "Install a newer driver, or an older release of cuTENSOR.";
        default:
            return {};
    }
}

TensorHandle::TensorHandle(ContextRef context)
    : context_(context),
      ended_before_(__atomic_load_n(&cubind::detail::ended_contexts, __ATOMIC_RELAXED)),
      handle_(checked(cutensor::cutensorCreate(), [] { return std::string(); })) {}

TensorHandle::~TensorHandle() {
    if (has_ended()) return;
    try {
        const ScopedContext scope(context_);
        report(cutensor::cutensorDestroy(handle_), "destroy a handle of cuTENSOR");
    } catch (const std::exception& error) {
        report_failed_release("destroy a handle of cuTENSOR", error.what());
    }
}

bool TensorHandle::has_ended() const noexcept {
    return ended_before_ != __atomic_load_n(&cubind::detail::ended_contexts, __ATOMIC_RELAXED) &&
           cubind::detail::has_ended(context_.native_handle(), ended_before_);
}

std::shared_ptr<const TensorHandle> tensor_handle(const Device& device, ContextRef context) {
    static cubind::detail::OncePerDriver<TensorHandles> all;
    TensorHandles& handles = all.get([] { return std::make_unique<TensorHandles>(); });
    const std::lock_guard lock(handles.mutex);
    std::shared_ptr<const TensorHandle>& handle = handles.of_device[device.ordinal()];
    if (handle == nullptr || handle->has_ended()) handle = std::make_shared<const TensorHandle>(context);
    return handle;
}

}  // namespace CUBIND_NAMESPACE::math::detail
