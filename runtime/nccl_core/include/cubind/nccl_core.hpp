// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Communicators of NCCL: collectives and messages between GPUs, of one process or of several.

#include <cubind/bootstrap.hpp>
#include <cubind/nccl_core/collective_config.hpp>
#include <cubind/nccl_core/communication_error.hpp>
#include <cubind/nccl_core/communicator.hpp>
#include <cubind/nccl_core/communicator_config.hpp>
#include <cubind/nccl_core/data_type.hpp>
#include <cubind/nccl_core/group.hpp>
#include <cubind/nccl_core/memory_resource.hpp>
#include <cubind/nccl_core/reduction.hpp>
#include <cubind/nccl_core/registration.hpp>
#include <cubind/nccl_core/signal.hpp>
#include <cubind/nccl_core/unique_id.hpp>
