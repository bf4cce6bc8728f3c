// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Earlier version, symbol toyCopy, since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyCopy_v1(short from, short to) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyCopy_v2(int from, int to) noexcept;

/// Variant for the per-thread default stream, since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyCopy_v2_ptds(int from, int to) noexcept;

#ifndef TOY_PER_THREAD
/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyRun(int number) noexcept;
#endif

/// Variant for the per-thread default stream, since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyRun_ptsz(int number) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyStop(int number) noexcept;

#ifndef toyCopy
#ifdef TOY_PER_THREAD
inline namespace per_thread {
inline constexpr auto& toyCopy = toyCopy_v2_ptds;
}
#else
inline constexpr auto& toyCopy = toyCopy_v2;
#endif
#endif
#if defined(TOY_PER_THREAD) && !defined(toyRun)
inline namespace per_thread {
/// Calls toyRun_ptsz.
CUBIND_EXPORT Result<toyStatus> toyRun(int number) noexcept;
}
#endif

}  // namespace CUBIND_NAMESPACE::toy
