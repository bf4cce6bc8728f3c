// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "machine.hpp"
#include "question.hpp"

namespace answers {

template <>
std::string text_of(CUdevResource resource);
template <>
std::string text_of(CU_DEV_SM_RESOURCE_GROUP_PARAMS group);
/// Returns the bytes of a tensor map in hexadecimal digits, up to the last one that is not 0.
template <>
std::string text_of(CUtensorMap map);

/// Each function asks one group of questions. It runs in a separate process, before any other driver call.
void ask_about_descriptors();
void ask_about_green_contexts();
void ask_about_green_events();
void ask_about_green_streams();
void ask_about_im2col_maps();
void ask_about_missing_green_contexts();
void ask_about_queues();
void ask_about_resources();
void ask_about_splits();
void ask_about_structured_splits();
void ask_about_tiled_maps();

/// Initializes the driver and makes the primary context of device 0 current. Returns that context.
CUcontext use_device();
/// Returns the multiprocessors of device 0.
CUdevResource all_multiprocessors();
/// Returns groups of at least this many multiprocessors.
std::vector<CUdevResource> groups_of(unsigned size, unsigned count);
/// Creates a green context of these resources without a question.
CUgreenCtx create_green_context(std::vector<CUdevResource> resources);

}  // namespace answers
