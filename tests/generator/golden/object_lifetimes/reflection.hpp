// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The functions of the toy library as data.

#include <cubind/reflection.hpp>

namespace cubind::toy {

/// Every function that is bound, with its parameters, their types and what it does to objects.
const reflection::Library& reflection() noexcept;

}  // namespace cubind::toy
