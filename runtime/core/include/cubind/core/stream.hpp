// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Streams, events, completion of work and green contexts: all of <cubind/core/stream/...>.

#include <cubind/core/stream/completion.hpp>
#include <cubind/core/stream/device_resources.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/future.hpp>
#include <cubind/core/stream/green_context.hpp>
#include <cubind/core/stream/ipc_event_descriptor.hpp>
#include <cubind/core/stream/run_loop.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/core/stream/thread_pool.hpp>
