// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <cubind/driver/types.hpp>

#include "ptx/image.hpp"

namespace cubind::sim {

using namespace driver;

/// Copies a launch's arguments to where the kernel's code looks for them: from a pointer for each, or from the buffer that
/// `extra` describes. Bytes that a short buffer does not have are zero.
CUresult copy_arguments(const ptx::Kernel& kernel, void** parameters, void** extra, std::vector<std::byte>& bytes);

}  // namespace cubind::sim
