// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/declarations.hpp"
#include "kernels/host_types.hpp"
#include "kernels/kernel_file.hpp"
#include "kernels/user_files.hpp"

namespace cubind::gen::kernels {

/// Describes the variables of the device.
void collect_variables(KernelFile& result, HostTypes& types, const UserFiles& files, const Declarations& declarations);

}  // namespace cubind::gen::kernels
