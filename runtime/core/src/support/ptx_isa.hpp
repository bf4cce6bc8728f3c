// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::detail {

/// The newest PTX ISA that a CUDA release knows, both as 1000 * major + 10 * minor.
struct PtxIsaOfRelease {
    int release;
    int ptx_isa;
};

/// Measured: the ISA that NVRTC of the release writes into its output. 12.7 is the exception: its NVRTC was never published as a
/// package, so that row is the vendor's word.
inline constexpr PtxIsaOfRelease ptx_isa_of_releases[] = {
    {12000, 8000}, {12010, 8010}, {12020, 8020}, {12030, 8030}, {12040, 8040},
    {12050, 8050}, {12060, 8050}, {12070, 8060}, {12080, 8070}, {12090, 8080},
    {13000, 9000}, {13010, 9010}, {13020, 9020}, {13030, 9030}, {13040, 9040},
};

/// The highest PTX ISA that a driver accepts.
struct PtxLimit {
    int ptx_isa = 0;    ///< 0 where the table says nothing
    bool is_exact = false;  ///< false where the driver accepts at least this one: the table does not have its release
};

/// The limit of a driver of this CUDA release.
constexpr PtxLimit ptx_limit(int driver) {
    PtxLimit limit;
    for (const auto& row : ptx_isa_of_releases) {
        if (row.release <= driver) limit = {row.ptx_isa, row.release == driver};
    }
    return limit;
}

/// The first release that knows this PTX ISA; 0 for one that is newer than all of the table.
constexpr int first_release_with(int ptx_isa) {
    for (const auto& row : ptx_isa_of_releases) {
        if (row.ptx_isa >= ptx_isa) return row.release;
    }
    return 0;
}

}  // namespace cubind::detail
