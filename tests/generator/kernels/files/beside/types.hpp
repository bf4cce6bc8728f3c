// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#pragma once
#include "nested/inner.hpp"
namespace beside {
enum class Style { thin, thick };
}
