// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/file/file_driver.hpp>

#include "cufile/session.hpp"

namespace CUBIND_NAMESPACE {

bool FileDriverProperties::supports(cufile::CUfileDriverStatusFlags_t storage) const noexcept {
    return (native.nvfs.dstatusflags >> storage & 1U) != 0;
}

bool FileDriverProperties::supports(cufile::CUfileFeatureFlags_t feature) const noexcept {
    return (native.fflags >> feature & 1U) != 0;
}

bool FileDriver::is_available() {
    return unavailability().empty();
}

std::string FileDriver::unavailability() {
    return detail::io::CufileSession::unavailability();
}

FileDriver::FileDriver(const FileDriverSettings& settings) : session_(detail::io::CufileSession::open(settings)) {}

FileDriverProperties FileDriver::properties() const {
    return session_->properties();
}

}  // namespace CUBIND_NAMESPACE
