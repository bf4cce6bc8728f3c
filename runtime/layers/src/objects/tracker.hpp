// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

/// Notes which objects calls begin and end, for the layers that ask: below all layers, where only what really happens is seen.
namespace cubind::layers::objects {

/// Has the vendor's function do the call, and notes what it began and ended while anybody wants to know.
void proceed(const Call& call) noexcept;

/// What is noted: handles, for who wants to know which ones live; or also objects, with the calls that began them.
enum class Interest { handles, objects };

/// What layers call when they begin and no longer want to know. What was noted goes with the last that did.
void start_tracking(Interest interest);
void stop_tracking(Interest interest) noexcept;

}  // namespace cubind::layers::objects
