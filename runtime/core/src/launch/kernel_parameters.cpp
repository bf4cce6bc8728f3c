// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/kernel_parameters.hpp"

#include <cubind/driver/library.hpp>

#include <algorithm>
#include <memory>

#include "support/driver.hpp"

namespace cubind::detail {
namespace {

constexpr bool is_missing(driver::CUresult status) {
    return status == driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND;
}

// How many there are where the driver tells (CUDA 13.2), else more than there can be.
std::size_t most_parameters(driver::CUkernel kernel) {
    const auto count = driver::cuKernelGetParamCount(kernel);
    return is_missing(count.status) ? ~std::size_t{0} : check(count);
}

// Null where the driver does not tell.
std::unique_ptr<std::vector<KernelParameter>> ask(driver::CUkernel kernel) {
    const std::size_t most = most_parameters(kernel);
    auto all = std::make_unique<std::vector<KernelParameter>>();
    while (all->size() < most) {
        const auto parameter = driver::cuKernelGetParamInfo(kernel, all->size());
        if (is_missing(parameter.status)) return nullptr;
        if (most == ~std::size_t{0} && parameter.status == driver::CUDA_ERROR_INVALID_VALUE) break;  // it was the last one
        check(parameter);
        all->push_back({parameter.value1, parameter.value2});
    }
    return all;
}

std::string listed(const std::vector<KernelParameter>& parameters) {
    std::string text;
    for (const KernelParameter& each : parameters) text.append(text.empty() ? "" : ", ").append(std::to_string(each.size));
    return text.empty() ? "none" : text.append(" bytes");
}

}  // namespace

const std::vector<KernelParameter>* KernelParameters::get(driver::CUkernel kernel, ContextRef context) {
    if (const auto* const before = known()) return before;
    const ScopedContext scope(context);
    auto asked = ask(kernel);
    if (!asked) return nullptr;
    const std::vector<KernelParameter>* first = nullptr;
    return all_.compare_exchange_strong(first, asked.get()) ? asked.release() : first;
}

std::string quoted_name(driver::CUkernel kernel) {
    const auto [status, name] = driver::cuKernelGetName(kernel);  // since CUDA 12.3
    return status == driver::CUDA_SUCCESS && name != nullptr ? concat("\"", name, "\"") : std::string("of unknown name");
}

std::string mistake_in(const unsigned int* given, const std::vector<KernelParameter>& parameters, driver::CUkernel kernel) {
    const unsigned int count = given[0];
    const unsigned int* const sizes = given + 1;
    const auto both = static_cast<unsigned int>(std::min<std::size_t>(count, parameters.size()));
    for (unsigned int i = 0; i < both; ++i) {
        if (sizes[i] == parameters[i].size) continue;
        return concat("kernel ", quoted_name(kernel), " takes ", parameters[i].size, " bytes as parameter ", i + 1, ", but argument ", i + 1,
                      " has ", sizes[i], " (its parameters: ", listed(parameters),
                      "): pass the parameter's own type, or call it through a KernelFunction, which converts");
    }
    if (count == parameters.size()) return {};
    return concat("kernel ", quoted_name(kernel), " takes ", parameters.size(), " arguments, but was given ", count,
                  " (its parameters: ", listed(parameters), ")");
}

}  // namespace cubind::detail
