// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/kernel_parameters.hpp"

#include <cubind/driver/library.hpp>

#include "calls/availability.hpp"
#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

std::unique_ptr<ParameterList> read_parameters(driver::CUkernel kernel, std::size_t count) {
    auto list = std::make_unique<ParameterList>();
    if (!is_available(driver::cuKernelGetParamInfo)) {
        list->read = ParametersRead::none;
        return list;
    }
    const bool has_count = is_available(driver::cuKernelGetParamCount);
    if (has_count) count = check(driver::cuKernelGetParamCount(kernel));
    list->read = has_count ? ParametersRead::all : ParametersRead::beginning;
    for (std::size_t index = 0; index < count; ++index) {
        const auto parameter = driver::cuKernelGetParamInfo(kernel, index);
        if (!has_count && parameter.status == driver::CUDA_ERROR_INVALID_VALUE) {
            list->read = ParametersRead::all;  // more arguments were given than the kernel has parameters
            break;
        }
        detail::check_latest(parameter);
        list->parameters.push_back({parameter.value1, parameter.value2});
        list->sizes.push_back(static_cast<unsigned int>(parameter.value2));
    }
    return list;
}

}  // namespace

void KernelParameters::accept(const unsigned int* types) {
    const std::size_t count = types[0];
    auto added = std::make_unique<AcceptedTypes>();
    added->types.assign(types, types + 1 + count + (count + 3) / 4);
    const AcceptedTypes* current = accepted_.load(std::memory_order_acquire);
    do {
        (void)added->previous.release();
        added->previous.reset(current);
    } while (!accepted_.compare_exchange_weak(current, added.get(), std::memory_order_acq_rel));
    (void)added.release();
}

const ParameterList& KernelParameters::read(driver::CUkernel kernel, std::size_t count) {
    if (const ParameterList* const list = cached(count)) return *list;
    std::unique_ptr<ParameterList> list = read_parameters(kernel, count);
    const ParameterList* current = cached_.load(std::memory_order_acquire);
    do {
        (void)list->previous.release();
        if (current != nullptr && current->covers(count)) return *current;  // another thread was faster
        list->previous.reset(current);
    } while (!cached_.compare_exchange_strong(current, list.get(), std::memory_order_acq_rel));
    return *list.release();
}

}  // namespace CUBIND_NAMESPACE::detail
