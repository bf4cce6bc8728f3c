// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/layers/layer.hpp>

/// Tracking of the objects that calls create and destroy. It runs below all layers, so that it observes only calls that reach the
/// vendor's functions.
namespace CUBIND_NAMESPACE::layers::objects {

/// Creates the tables that calls use. Must be called before calls are observed: a child of a fork() during the creation of a
/// table would wait forever for its end.
void create_tables();

/// Calls the vendor's function and, while a layer has started tracking, records the objects that it created and destroyed.
void proceed(const Call& call) noexcept;

/// Returns whether all objects and handles since the start of tracking were recorded. Memory may have been exhausted.
bool are_complete() noexcept;

/// The data that a layer tracks.
enum class Interest {
    handles,  ///< live handles
    objects,  ///< objects that a program must destroy, with the calls that created them
};

/// Starts tracking for a layer and pushes the layer. If it throws, nothing has changed.
void push_with_tracking(Layer& layer, Interest interest);
/// Stops tracking for a layer. When the last layer with an interest stops, discards what was recorded for it.
void stop_tracking(Interest interest) noexcept;

}  // namespace CUBIND_NAMESPACE::layers::objects
