// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/device_resources.hpp>
#include <cubind/core/stream/green_context.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/green_context.hpp>

#include "calls/driver.hpp"
#include "calls/required_release.hpp"

namespace CUBIND_NAMESPACE {

namespace {

constexpr int first_release = 12040;
constexpr int first_release_of_workqueues = 13010;
constexpr int first_release_of_streams = 13010;

}  // namespace

// ---- queries -------------------------------------------------------------------------------------------------------------

driver::CUdevResource DeviceResources::query(driver::CUdevResourceType type, int since) const {
    detail::require_release(what_, since > since_ ? since : since_);
    return query_(*this, type);
}

SmResource DeviceResources::sm() const {
    return {device_, query(driver::CU_DEV_RESOURCE_TYPE_SM, first_release)};
}

WorkqueueResource DeviceResources::workqueue() const {
    return WorkqueueResource(query(driver::CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG, first_release_of_workqueues));
}

DeviceResources Device::resources() const {
    const auto query = [](const DeviceResources& of, driver::CUdevResourceType type) {
        return check(driver::cuDeviceGetDevResource(of.device_.native_handle(), type));
    };
    return {*this, nullptr, query, "the query of a device's resources", first_release};
}

DeviceResources ContextRef::resources() const {
    const auto query = [](const DeviceResources& of, driver::CUdevResourceType type) {
        return check(driver::cuCtxGetDevResource(static_cast<driver::CUcontext>(of.handle_), type));
    };
    return {device(), native_handle(), query, "the query of a context's resources", first_release};
}

DeviceResources GreenContextRef::resources() const {
    const auto query = [](const DeviceResources& of, driver::CUdevResourceType type) {
        return check(driver::cuGreenCtxGetDevResource(static_cast<driver::CUgreenCtx>(of.handle_), type));
    };
    return {device(), native_handle(), query, "the query of a green context's resources", first_release};
}

DeviceResources StreamRef::resources() const {
    const auto query = [](const DeviceResources& of, driver::CUdevResourceType type) {
        return check(driver::cuStreamGetDevResource(static_cast<driver::CUstream>(of.handle_), type));
    };
    return {device(), checked_handle(), query, "the query of a stream's resources", first_release_of_streams};
}

// ---- work queues ---------------------------------------------------------------------------------------------------------

WorkqueueResource::WorkqueueResource() noexcept : native_{} {}

WorkqueueResource::WorkqueueResource(const driver::CUdevResource& native) : native_(native) {
    if (native.type != driver::CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG) {
        detail::throw_misuse("a WorkqueueResource needs a native resource of type CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG, not ",
                             static_cast<unsigned int>(native.type));
    }
}

bool WorkqueueResource::is_empty() const noexcept {
    return native_.type == driver::CU_DEV_RESOURCE_TYPE_INVALID;
}

Device WorkqueueResource::device() const {
    if (is_empty()) detail::throw_misuse("an empty WorkqueueResource has no device: call Device::resources().workqueue()");
    return Device(static_cast<int>(native_.wqConfig.device));
}

driver::CUdevWorkqueueConfigScope WorkqueueResource::sharing_scope() const noexcept {
    return native_.wqConfig.sharingScope;
}

unsigned int WorkqueueResource::concurrency_limit() const noexcept {
    return native_.wqConfig.wqConcurrencyLimit;
}

void WorkqueueResource::configure(const WorkqueueOptions& options) {
    if (is_empty()) {
        detail::throw_misuse("an empty WorkqueueResource cannot be configured: call Device::resources().workqueue() first");
    }
    native_.wqConfig.sharingScope = options.sharing_scope;
    if (options.concurrency_limit != 0) native_.wqConfig.wqConcurrencyLimit = options.concurrency_limit;
}

}  // namespace CUBIND_NAMESPACE
