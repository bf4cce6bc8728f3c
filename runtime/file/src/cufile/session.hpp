// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>
#include <cubind/file/file_driver.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace CUBIND_NAMESPACE::detail::io {

/// The time in which cuFile is open. All users of the process share one, and the last one closes cuFile.
class CufileSession {
public:
    /// Returns why cuFile cannot be used, or an empty string. Calls no function of cuFile.
    [[nodiscard]] static std::string unavailability();
    /// Returns the session, which it opens if there is none, with the settings. Throws as FileDriver does.
    [[nodiscard]] static std::shared_ptr<CufileSession> open(const FileDriverSettings& settings = {});

    /// Returns whether earlier properties() have shown that there is no GPUDirect Storage, so that cuFile need not be opened.
    [[nodiscard]] static bool is_without_gpu_direct();

    CufileSession() = default;
    CufileSession(const CufileSession&) = delete;
    CufileSession& operator=(const CufileSession&) = delete;
    /// Closes cuFile. A failure is reported to the cleanup handler.
    ~CufileSession();

    [[nodiscard]] FileDriverProperties properties() const;

    /// An address as cuFile expects it: the beginning of registered memory, or the address itself, and an offset.
    struct Address {
        void* base;
        std::size_t offset;
    };
    [[nodiscard]] Address address_of(driver::CUdeviceptr address, std::size_t size) const;
    /// Notes memory that is registered; returns whether no memory of this address was.
    bool add(driver::CUdeviceptr address, std::size_t size);
    void remove(driver::CUdeviceptr address) noexcept;

private:
    void start(const FileDriverSettings& settings);
    static void apply(const FileDriverSettings& settings);

    bool is_owner_ = false;  // other code may have opened cuFile, and closes it then
    mutable std::mutex mutex_;
    std::map<driver::CUdeviceptr, std::size_t> registered_;  // sizes by address
};

}  // namespace CUBIND_NAMESPACE::detail::io
