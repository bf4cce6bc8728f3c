// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Files that devices read and write: with GPUDirect Storage where there is one, otherwise through pinned memory.
/// <cubind/file/completion.hpp> has what coroutines await.

#include <cubind/file/file.hpp>
#include <cubind/file/file_batch.hpp>
#include <cubind/file/file_driver.hpp>
#include <cubind/file/file_error.hpp>
#include <cubind/file/file_options.hpp>
#include <cubind/file/file_result.hpp>
#include <cubind/file/file_transfer.hpp>
#include <cubind/file/registered_file_buffer.hpp>
