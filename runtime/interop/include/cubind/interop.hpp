// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Memory and semaphores of graphics APIs, and frames of EGL: all of <cubind/interop/...>.

#include <cubind/interop/egl_acquired_frame.hpp>
#include <cubind/interop/egl_frame.hpp>
#include <cubind/interop/egl_stream_consumer.hpp>
#include <cubind/interop/egl_stream_producer.hpp>
#include <cubind/interop/external_memory.hpp>
#include <cubind/interop/external_semaphore.hpp>
#include <cubind/interop/external_semaphore_node.hpp>
#include <cubind/interop/graphics_mapping.hpp>
#include <cubind/interop/graphics_resource.hpp>
