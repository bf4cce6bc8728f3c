// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transfer/operand.hpp"

namespace CUBIND_NAMESPACE::detail::io {

/// Transfers, and returns when the bytes have arrived. Throws as File::read() does.
FileResult transfer(const OpenFile& file, Direction direction, const Operand& operand);

}  // namespace CUBIND_NAMESPACE::detail::io
