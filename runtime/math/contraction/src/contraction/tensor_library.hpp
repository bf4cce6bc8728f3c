// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/cutensor/status.hpp>
#include <cubind/cutensor/tensors.hpp>

#include <memory>
#include <string>

#include "plan/checked.hpp"

namespace CUBIND_NAMESPACE::math::detail {

template <>
struct StatusTraits<cutensor::cutensorStatus_t> {
    static constexpr const char* package = "cutensor-cu13";
    static constexpr auto out_of_memory = cutensor::CUTENSOR_STATUS_ALLOC_FAILED;
    static std::string advice(cutensor::cutensorStatus_t status);
};

/// Destroys objects of cuTENSOR. Reports failures to the cleanup handler.
struct DestroyTensorObject {
    void operator()(::cutensorTensorDescriptor* descriptor) const noexcept {
        report(cutensor::cutensorDestroyTensorDescriptor(descriptor), "destroy a descriptor of a tensor");
    }
    void operator()(::cutensorOperationDescriptor* descriptor) const noexcept {
        report(cutensor::cutensorDestroyOperationDescriptor(descriptor), "destroy a descriptor of a contraction");
    }
    void operator()(::cutensorPlanPreference* preference) const noexcept {
        report(cutensor::cutensorDestroyPlanPreference(preference), "destroy a preference for plans of contractions");
    }
    void operator()(::cutensorPlan* plan) const noexcept {
        report(cutensor::cutensorDestroyPlan(plan), "destroy a plan of a contraction");
    }
};

/// An owner of an object of cuTENSOR.
template <class Object>
using TensorObject = std::unique_ptr<Object, DestroyTensorObject>;

/// A handle of cuTENSOR for a device. Thread-safe, as the handles of cuTENSOR are.
class TensorHandle {
public:
    /// Creates a handle for the device of this context, which is current.
    explicit TensorHandle(ContextRef context);
    TensorHandle(const TensorHandle&) = delete;
    TensorHandle& operator=(const TensorHandle&) = delete;
    /// Destroys the handle, unless it ended with its context.
    ~TensorHandle();

    /// Returns the handle.
    [[nodiscard]] cutensor::cutensorHandle_t get() const noexcept { return handle_; }
    /// Returns the context.
    [[nodiscard]] ContextRef context() const noexcept { return context_; }
    /// Returns whether the context has ended.
    [[nodiscard]] bool has_ended() const noexcept;

private:
    ContextRef context_;
    unsigned int ended_before_;  // the contexts that had ended when the handle was created
    cutensor::cutensorHandle_t handle_;
};

/// Returns the handle of the device, whose primary context is current. All plans share it, and with it the cache of plans.
[[nodiscard]] std::shared_ptr<const TensorHandle> tensor_handle(const Device& device, ContextRef context);

}  // namespace CUBIND_NAMESPACE::math::detail
