// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <vector>

#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Copies the arguments of a launch to the layout of the kernel's parameters, either from one pointer for each or from
/// the buffer that `extra` describes. Bytes beyond the end of a short buffer are zero.
driver::CUresult copy_arguments(const ptx::Kernel& kernel, void** parameters, void** extra, std::vector<std::byte>& bytes);

}  // namespace CUBIND_NAMESPACE::sim
