// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

/// Tracking of the objects that calls create and destroy. It runs below all layers, so that it observes only calls that reach the
/// vendor's functions.
namespace CUBIND_NAMESPACE::layers::objects {

/// Calls the vendor's function and, while a layer has started tracking, records the objects that it created and destroyed.
void proceed(const Call& call) noexcept;

/// What a layer tracks: live handles, or objects that a program must destroy with the calls that created them.
enum class Interest { handles, objects };

/// Start and stop tracking for a layer. When the last layer with an interest stops, what was recorded for it is discarded.
void start_tracking(Interest interest);
void stop_tracking(Interest interest) noexcept;

}  // namespace CUBIND_NAMESPACE::layers::objects
