// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>
#include <cubind/nvml/status.hpp>

#include <optional>

namespace CUBIND_NAMESPACE::system {

#if defined(__cpp_exceptions)

/// Returns the result of a query, or nothing if the device does not have what was asked for (NVML_ERROR_NOT_SUPPORTED), or if the
/// driver is too old for it (NVML_ERROR_FUNCTION_NOT_FOUND, NVML_ERROR_ARGUMENT_VERSION_MISMATCH). Other failures throw Error.
///
///     std::optional<unsigned int> power = if_supported([&] { return device.power().milliwatts(); });
template <class Query>
[[nodiscard]] auto if_supported(Query query) -> std::optional<decltype(query())> {
    try {
        return query();
    } catch (const Error& error) {
        if (error.code() != nvml::NVML_ERROR_NOT_SUPPORTED && error.code() != nvml::NVML_ERROR_FUNCTION_NOT_FOUND &&
            error.code() != nvml::NVML_ERROR_ARGUMENT_VERSION_MISMATCH) {
            throw;
        }
        return std::nullopt;
    }
}

#endif

}  // namespace CUBIND_NAMESPACE::system
