// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

/// What each simulated device reports of itself and the driver API does not have: the values of an idle GPU of a server with
/// passive cooling.
namespace CUBIND_NAMESPACE::sim::management::idle {

inline constexpr unsigned int celsius = 30;
inline constexpr unsigned int shutdown_celsius = 95;
inline constexpr unsigned int slowdown_celsius = 89;
inline constexpr unsigned int max_memory_celsius = 95;
inline constexpr unsigned int max_celsius = 87;
inline constexpr unsigned int memory_celsius = 40;

inline constexpr unsigned int milliwatts = 75'000;
inline constexpr unsigned int min_limit_milliwatts = 200'000;
inline constexpr unsigned int max_limit_milliwatts = 700'000;

inline constexpr unsigned int graphics_mhz = 345;
inline constexpr unsigned int video_mhz = 765;
inline constexpr unsigned int max_video_mhz = 1545;
inline constexpr unsigned int step_mhz = 15;  ///< difference of two supported clocks

inline constexpr unsigned long long clocks_event_reasons = 0x1ff;

inline constexpr unsigned int link_generation = 5;
inline constexpr unsigned int link_width = 16;
inline constexpr unsigned int link_mbps = 32'000;

inline constexpr unsigned int sampling_microseconds = 100'000;

inline constexpr unsigned int vendor_and_device = 0x2335'10de;  ///< device and vendor, as in the PCI configuration
inline constexpr unsigned int subsystem = 0x18be'10de;
inline constexpr unsigned int display_class = 3;
inline constexpr unsigned int controller_3d = 2;

}  // namespace CUBIND_NAMESPACE::sim::management::idle
