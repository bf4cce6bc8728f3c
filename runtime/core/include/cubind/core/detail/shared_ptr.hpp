// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// std::shared_ptr and std::unique_ptr. <memory> also has parallel algorithms, which cost a fifth of its time to compile, where the library
/// does not keep the pointers apart.
#if __has_include(<bits/shared_ptr.h>)
#include <bits/shared_ptr.h>
#else
#include <memory>
#endif
