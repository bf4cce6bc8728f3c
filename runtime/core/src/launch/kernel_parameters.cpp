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
std::unique_ptr<std::vector<std::size_t>> ask_for_sizes(driver::CUkernel kernel) {
    const std::size_t most = most_parameters(kernel);
    auto sizes = std::make_unique<std::vector<std::size_t>>();
    while (sizes->size() < most) {
        const auto parameter = driver::cuKernelGetParamInfo(kernel, sizes->size());
        if (is_missing(parameter.status)) return nullptr;
        if (most == ~std::size_t{0} && parameter.status == driver::CUDA_ERROR_INVALID_VALUE) break;  // it was the last one
        check(parameter);
        sizes->push_back(parameter.value2);
    }
    return sizes;
}

std::string listed(const std::vector<std::size_t>& sizes) {
    std::string text;
    for (const std::size_t size : sizes) text.append(text.empty() ? "" : ", ").append(std::to_string(size));
    return text.empty() ? "none" : text.append(" bytes");
}

}  // namespace

const std::vector<std::size_t>* KernelParameters::sizes(driver::CUkernel kernel, ContextRef context) {
    if (const auto* const known = known_sizes()) return known;
    const ScopedContext scope(context);
    auto asked = ask_for_sizes(kernel);
    if (!asked) return nullptr;
    const std::vector<std::size_t>* first = nullptr;
    return sizes_.compare_exchange_strong(first, asked.get()) ? asked.release() : first;
}

std::string quoted_name(driver::CUkernel kernel) {
    const auto [status, name] = driver::cuKernelGetName(kernel);  // since CUDA 12.3
    return status == driver::CUDA_SUCCESS && name != nullptr ? joined("\"", name, "\"") : std::string("of unknown name");
}

std::string mistake_in(const unsigned int* given, const std::vector<std::size_t>& parameters, driver::CUkernel kernel) {
    const unsigned int count = given[0];
    const unsigned int* const sizes = given + 1;
    const auto both = static_cast<unsigned int>(std::min<std::size_t>(count, parameters.size()));
    for (unsigned int i = 0; i < both; ++i) {
        if (sizes[i] == parameters[i]) continue;
        return joined("kernel ", quoted_name(kernel), " takes ", parameters[i], " bytes as parameter ", i + 1, ", but argument ", i + 1,
                      " has ", sizes[i], " (its parameters: ", listed(parameters),
                      "): pass the parameter's own type, or call it through a KernelFunction, which converts");
    }
    if (count == parameters.size()) return {};
    return joined("kernel ", quoted_name(kernel), " takes ", parameters.size(), " arguments, but was given ", count,
                  " (its parameters: ", listed(parameters), ")");
}

}  // namespace cubind::detail
