// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "semaphore_batch.hpp"

#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/external_resource.hpp>

#include <algorithm>

#include "calls/driver.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

const char* name_of(ExternalSemaphoreKind kind) noexcept {
    switch (kind) {
        case ExternalSemaphoreKind::binary:
            return "binary";
        case ExternalSemaphoreKind::timeline:
            return "timeline";
        default:
            return "NvSciSync";
    }
}

}  // namespace

void check_operation(const ExternalSemaphoreOperation& operation, bool is_signal) {
    const char* const action = is_signal ? "signal" : "wait for";
    const std::optional<ExternalSemaphoreKind> kind = operation.semaphore.kind();
    if (!kind) return;  // the driver checks
    if (operation.value && *kind != ExternalSemaphoreKind::timeline) {
        throw_misuse("cannot ", action, " a ", name_of(*kind), " semaphore with value ", *operation.value,
                     ": only a timeline semaphore has a value");
    }
    if (!operation.value && *kind == ExternalSemaphoreKind::timeline) {
        throw_misuse("cannot ", action, " a timeline semaphore without a value: pass the value");
    }
    if (is_signal && operation.value == 0u) {
        throw_misuse(
            "cannot signal a timeline semaphore with value 0: the value must be greater than the current one, which is at least "
            "0");
    }
    if ((operation.fence != nullptr) != (*kind == ExternalSemaphoreKind::nv_sci_sync)) {
        throw_misuse("cannot ", action, " a ", name_of(*kind), " semaphore ",
                     operation.fence != nullptr ? "with a fence: only NvSciSync has fences" : "without a fence");
    }
    if (operation.skip_memory_synchronization && *kind != ExternalSemaphoreKind::nv_sci_sync) {
        throw_misuse("skip_memory_synchronization is set for a ", name_of(*kind),
                     " semaphore: only NvSciSync synchronizes memory of NvSciBuf");
    }
}

std::string describe(std::span<const ExternalSemaphoreOperation> operations) {
    constexpr std::size_t max_described = 8;
    std::string text;
    for (const ExternalSemaphoreOperation& each : operations.first(std::min(operations.size(), max_described))) {
        const auto kind = each.semaphore.kind();
        text.append(text.empty() ? "" : ", ").append(kind ? name_of(*kind) : "foreign").append(" semaphore");
        if (each.value) text.append(" with value ").append(std::to_string(*each.value));
    }
    if (operations.size() > max_described) text.append(concat(" and ", operations.size() - max_described, " more"));
    return text;
}

namespace {

template <class Parameters, class Call>
void submit_batch(StreamRef stream, std::span<const ExternalSemaphoreOperation> operations, const Call& call) {
    if (operations.empty()) return;
    const SemaphoreBatch<Parameters> batch(operations);
    const StreamScope scope(stream);
    const auto submitted = call(batch.handles(), batch.parameters(), batch.count(), StreamAccess::handle(stream));
    if (!submitted.ok()) {
        const std::string advice = advice_on_context(submitted.status, stream);
        throw_with_advice(submitted, advice.empty() ? concat("The call was for: ", describe(operations), ".") : advice);
    }
    Retainer* const retainer = StreamAccess::retainer(stream);
    if (retainer == nullptr) return;
    for (const ExternalSemaphoreOperation& each : operations) retainer->retain(share(each.semaphore));
}

}  // namespace
}  // namespace detail

void signal_semaphores(StreamRef stream, std::span<const ExternalSemaphoreOperation> operations) {
    detail::submit_batch<detail::SignalParameters>(
        stream, operations, [](auto... arguments) { return driver::cuSignalExternalSemaphoresAsync(arguments...); });
}

void wait_semaphores(StreamRef stream, std::span<const ExternalSemaphoreOperation> operations) {
    detail::submit_batch<detail::WaitParameters>(
        stream, operations, [](auto... arguments) { return driver::cuWaitExternalSemaphoresAsync(arguments...); });
}

}  // namespace CUBIND_NAMESPACE
