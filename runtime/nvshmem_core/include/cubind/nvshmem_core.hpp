// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Symmetric memory of NVSHMEM: memory of all processes of a program, between which the GPUs transfer.

#include <cubind/bootstrap.hpp>
#include <cubind/nvshmem_core/atomics.hpp>
#include <cubind/nvshmem_core/communication_error.hpp>
#include <cubind/nvshmem_core/data_type.hpp>
#include <cubind/nvshmem_core/device_code.hpp>
#include <cubind/nvshmem_core/memory_resource.hpp>
#include <cubind/nvshmem_core/reduction.hpp>
#include <cubind/nvshmem_core/registration.hpp>
#include <cubind/nvshmem_core/session.hpp>
#include <cubind/nvshmem_core/team.hpp>
