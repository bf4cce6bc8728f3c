// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

/// CUDA releases and the PTX ISA versions that they support. All of them are numbers 1000 * major + 10 * minor: 12040 is 12.4.
namespace CUBIND_NAMESPACE::detail {

/// Returns "12.4" for 12040.
inline std::string release_text(int release) {
    return std::to_string(release / 1000).append(".").append(std::to_string(release % 1000 / 10));
}

/// The newest PTX ISA of a CUDA release.
struct PtxIsaOfRelease {
    int release;  ///< 1000 * major + 10 * minor
    int ptx_isa;  ///< 1000 * major + 10 * minor
};

/// The only table of these numbers; cubind::core, cubind-info and the simulated driver use it. Each number is the ISA that
/// NVRTC of the release writes into its output. The row of 12.7 comes from the vendor's documentation, because NVRTC 12.7 was
/// never published as a package.
CUBIND_HIDDEN inline constexpr PtxIsaOfRelease ptx_isa_of_releases[] = {
    {12000, 8000}, {12010, 8010}, {12020, 8020}, {12030, 8030}, {12040, 8040}, {12050, 8050}, {12060, 8050}, {12070, 8060},
    {12080, 8070}, {12090, 8080}, {13000, 9000}, {13010, 9010}, {13020, 9020}, {13030, 9030}, {13040, 9040}, {13050, 9050},
};

/// The highest PTX ISA that a driver accepts.
struct PtxLimit {
    int ptx_isa = 0;        ///< 0 if the release is older than the table
    bool is_exact = false;  ///< false if the table does not have the release: the driver accepts at least this ISA
};

/// Returns the limit of a driver of this CUDA release.
constexpr PtxLimit ptx_limit(int driver) {
    PtxLimit limit;
    for (const auto& row : ptx_isa_of_releases) {
        if (row.release <= driver) limit = {row.ptx_isa, row.release == driver};
    }
    return limit;
}

/// Returns the first release that supports this PTX ISA; 0 if the ISA is newer than the table.
constexpr int first_release_with(int ptx_isa) {
    for (const auto& row : ptx_isa_of_releases) {
        if (row.ptx_isa >= ptx_isa) return row.release;
    }
    return 0;
}

}  // namespace CUBIND_NAMESPACE::detail
