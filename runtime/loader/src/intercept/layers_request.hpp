// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/layers_request.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Reports once, on the standard error stream, that CUBIND_LAYERS has no effect, if it is set and the process has no layers.
/// Every program that calls a vendor's function contains the loader, but only programs that link the layers can start them.
void report_unused_layers_request() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
