// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/kernel_file.hpp"

namespace cubind::gen::kernels {

/// Throws InputError if two declarations of the generated header would have one name, or two kernels also the same parameters.
void check_names(const KernelFile& file);

}  // namespace cubind::gen::kernels
