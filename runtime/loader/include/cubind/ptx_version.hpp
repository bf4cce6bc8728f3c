// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/detail/ptx_isa.hpp>

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>

namespace CUBIND_NAMESPACE {

/// A release of CUDA.
struct CudaRelease {
    int major = 0;  ///< 13 of 13.4
    int minor = 0;  ///< 4 of 13.4
    /// Compares major, then minor.
    [[nodiscard]] friend auto operator<=>(const CudaRelease&, const CudaRelease&) = default;
};

/// A version of the PTX ISA.
struct PtxVersion {
    int major = 0;  ///< 9 of 9.4
    int minor = 0;  ///< 4 of 9.4
    /// Compares major, then minor.
    [[nodiscard]] friend auto operator<=>(const PtxVersion&, const PtxVersion&) = default;
};

/// Returns the version that a PTX text declares by `.version`, its first directive; std::nullopt if the text does not begin with
/// one, apart from comments. Reads nothing after it.
///
///     if (ptx_version(ptx) > newest_ptx({12, 4})) ...    // a driver of CUDA 12.4 does not compile it
[[nodiscard]] constexpr std::optional<PtxVersion> ptx_version(std::string_view ptx) noexcept {
    constexpr std::string_view spaces = " \t\r\n\v\f";
    constexpr std::string_view directive = ".version";
    const auto skip = [&](std::size_t count) { ptx.remove_prefix(count < ptx.size() ? count : ptx.size()); };
    while (true) {
        skip(ptx.find_first_not_of(spaces));
        if (ptx.starts_with("//")) {
            skip(ptx.find('\n'));
        } else if (ptx.starts_with("/*")) {
            const std::size_t end = ptx.find("*/", 2);
            if (end == std::string_view::npos) return std::nullopt;
            skip(end + 2);
        } else {
            break;
        }
    }
    if (!ptx.starts_with(directive)) return std::nullopt;
    skip(directive.size());
    const std::size_t number = ptx.find_first_not_of(spaces);
    if (number == 0 || number == std::string_view::npos) return std::nullopt;
    skip(number);
    // The driver's versions have at most three digits in each part.
    const auto read = [&]() {
        int value = 0;
        std::size_t digits = 0;
        for (; digits < ptx.size() && digits < 4 && ptx[digits] >= '0' && ptx[digits] <= '9'; ++digits)
            value = 10 * value + (ptx[digits] - '0');
        skip(digits);
        return digits >= 1 && digits <= 3 ? value : -1;
    };
    const int major = read();
    if (major < 0 || !ptx.starts_with('.')) return std::nullopt;
    skip(1);
    const int minor = read();
    return minor < 0 ? std::nullopt : std::optional(PtxVersion{major, minor});
}

/// Returns the first release of CUDA whose drivers compile PTX of this version: 12.0 for all versions up to 8.0, because cubind
/// needs 12.0. std::nullopt if no release that this version of cubind knows compiles it.
[[nodiscard]] constexpr std::optional<CudaRelease> required_cuda(PtxVersion version) noexcept {
    const int release = detail::first_release_with(1000 * version.major + 10 * version.minor);
    return release == 0 ? std::nullopt : std::optional(CudaRelease{release / 1000, release % 1000 / 10});
}

/// Returns the newest PTX that a driver of this release compiles; std::nullopt before 12.0. A driver that is newer than this
/// version of cubind compiles at least the version that is returned.
[[nodiscard]] constexpr std::optional<PtxVersion> newest_ptx(CudaRelease driver) noexcept {
    const int version = detail::ptx_limit(1000 * driver.major + 10 * driver.minor).ptx_isa;
    return version == 0 ? std::nullopt : std::optional(PtxVersion{version / 1000, version % 1000 / 10});
}

}  // namespace CUBIND_NAMESPACE
