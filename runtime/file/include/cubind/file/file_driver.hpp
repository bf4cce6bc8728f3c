// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cufile/types.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace CUBIND_NAMESPACE {

namespace detail::io {
class CufileSession;
}

/// Settings of cuFile, which hold for the process. Those without a value are not changed; their defaults are in cufile.json.
struct FileDriverSettings {
    /// Whether cuFile may work without GPUDirect Storage (CUFILE_PARAM_PROPERTIES_ALLOW_COMPAT_MODE, since 12.9).
    std::optional<bool> allow_compat_mode = std::nullopt;
    /// Whether cuFile never uses GPUDirect Storage (CUFILE_PARAM_FORCE_COMPAT_MODE, since 12.9).
    std::optional<bool> force_compat_mode = std::nullopt;
    /// The size in KiB up to which cuFile polls for the end of a transfer instead of sleeping; 0 for never
    /// (cuFileDriverSetPollMode).
    std::optional<std::size_t> poll_threshold_kib = std::nullopt;
    /// The largest piece, in KiB, that cuFile passes to the kernel (cuFileDriverSetMaxDirectIOSize).
    std::optional<std::size_t> max_direct_io_kib = std::nullopt;
    /// The size, in KiB, of cuFile's buffers on a device for memory that is not registered (cuFileDriverSetMaxCacheSize).
    std::optional<std::size_t> max_cache_kib = std::nullopt;
    /// The size, in KiB, of memory of a device that cuFile may pin (cuFileDriverSetMaxPinnedMemSize).
    std::optional<std::size_t> max_pinned_kib = std::nullopt;
};

/// Properties of cuFile and of its kernel driver.
struct CUBIND_EXPORT FileDriverProperties {
    /// The version of cuFile as it reports it: 1000 * major + 10 * minor (cuFileGetVersion).
    int version = 0;
    /// The properties of the kernel driver nvidia-fs, limits, and bits of what is supported (cuFileDriverGetProperties).
    cufile::CUfileDrvProps_t native = {};

    /// Returns whether the kernel driver nvidia-fs is loaded.
    [[nodiscard]] bool has_nvidia_fs() const noexcept { return native.nvfs.major_version != 0; }
    /// Returns whether there is GPUDirect Storage of any kind: by nvidia-fs, or by the kernel itself for NVMe.
    [[nodiscard]] bool has_gpu_direct() const noexcept { return has_nvidia_fs() || supports(cufile::CU_FILE_NVME_P2P_SUPPORTED); }
    /// Returns whether GPUDirect Storage works with this kind of storage, such as CU_FILE_NVME_SUPPORTED.
    [[nodiscard]] bool supports(cufile::CUfileDriverStatusFlags_t storage) const noexcept;
    /// Returns whether cuFile has a feature, such as CU_FILE_BATCH_IO_SUPPORTED.
    [[nodiscard]] bool supports(cufile::CUfileFeatureFlags_t feature) const noexcept;
    /// Returns the largest number of requests of a batch.
    [[nodiscard]] std::size_t max_batch_size() const noexcept { return native.max_batch_io_size; }
};

/// Keeps cuFile open (cuFileDriverOpen, cuFileDriverClose). A File with the route cufile or gpu_direct, and a registration, do
/// so, too: an object of this class is needed only for settings and properties, and so that cuFile is not closed and opened
/// again, which takes long, while there is no File. The last object that uses cuFile closes it. Copies refer to the same session.
/// Any thread may use it.
///
///     FileDriver driver({.poll_threshold_kib = 4});
///     if (driver.properties().has_nvidia_fs()) ...
class [[nodiscard]] CUBIND_EXPORT FileDriver {
public:
    /// Returns whether this process can use cuFile: the library was found, and works with the driver. With the simulated driver,
    /// NVIDIA's cuFile does not. Does not open it, and calls no function of it.
    [[nodiscard]] static bool is_available();
    /// Returns why is_available() is false, as a sentence with what to do; empty if it is true.
    [[nodiscard]] static std::string unavailability();

    /// Opens cuFile unless it is open, and changes the settings. Throws FileError if cuFile cannot be used or refuses a value,
    /// and std::invalid_argument for settings of the compatibility mode if cuFile is open already, because it reads them when it
    /// opens.
    [[nodiscard]] explicit FileDriver(const FileDriverSettings& settings = {});

    /// Returns the properties as they are now. Throws FileError.
    [[nodiscard]] FileDriverProperties properties() const;

private:
    std::shared_ptr<detail::io::CufileSession> session_;
};

}  // namespace CUBIND_NAMESPACE
