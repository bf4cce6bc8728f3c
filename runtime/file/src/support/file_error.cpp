// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/strings.hpp>
#include <cubind/file/file_error.hpp>

#include <utility>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

using detail::concat;

namespace {

std::string text_of(const FileError::Place& place, driver::CUresult driver_status, const std::string& advice) {
    std::string text = "This was " + place.operation;
    if (!place.path.empty()) text += " of " + place.path;
    if (place.size != 0) {
        text += concat(", ", place.size, " bytes at the offset ", place.offset, ", of which ", place.completed,
                       " were transferred before");
    }
    text += ".";
    if (driver_status != driver::CUDA_SUCCESS) {
        text += concat(" The driver returned ", driver::to_string(driver_status), " (", static_cast<int>(driver_status), ").");
    }
    return advice.empty() ? text : text + " " + advice;
}

}  // namespace

FileError::FileError(const Error& failure, Place place, driver::CUresult driver_status, const std::string& advice)
    : Error(failure, text_of(place, driver_status, advice)), place_(std::move(place)), driver_status_(driver_status) {}

std::error_code FileError::system_code() const noexcept {
    if (library() != "system") return {};
    return {code().value(), std::generic_category()};
}

}  // namespace CUBIND_NAMESPACE
