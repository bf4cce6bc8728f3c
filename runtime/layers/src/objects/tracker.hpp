// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

/// Tracking of the objects that calls create and destroy. It runs below all layers, so that it observes only calls that reach the
/// vendor's functions.
namespace CUBIND_NAMESPACE::layers::objects {

/// Creates the tables that calls use. Must be called before calls are observed: if a thread forked while another thread was
/// creating a table, the child would wait forever for the end of the creation.
void create_tables();

/// Calls the vendor's function and, while a layer has started tracking, records the objects that it created and destroyed.
void proceed(const Call& call) noexcept;

/// The data that a layer tracks.
enum class Interest {
    handles,  ///< live handles
    objects,  ///< objects that a program must destroy, with the calls that created them
};

/// Starts tracking for a layer.
void start_tracking(Interest interest);
/// Stops tracking for a layer. If no other layer tracks the same data, discards these data.
void stop_tracking(Interest interest) noexcept;

}  // namespace CUBIND_NAMESPACE::layers::objects
