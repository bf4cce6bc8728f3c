// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: names of all enumerators.
///
/// The functions do not call the library. A value that is not an enumerator of the enum TYPE has the name "unrecognized TYPE".

#include <cubind/toy/status.hpp>

namespace CUBIND_NAMESPACE::toy {

CUBIND_EXPORT const char* to_string(toyShape value) noexcept;

}  // namespace CUBIND_NAMESPACE::toy
