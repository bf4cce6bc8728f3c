// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#if !__has_include(<cubind/cupti/activity.hpp>)
#error "This header needs CUPTI: configure cubind with -DCUBIND_LIBRARIES=\"default;cupti\" and link cubind::profile"
#endif
