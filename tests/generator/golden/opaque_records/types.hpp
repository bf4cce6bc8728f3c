// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: types with the vendor's names, layouts and values.

#include <cubind/detail/abi.hpp>

#include <stddef.h>
#include <stdint.h>

// Handles point to the vendor's types, so that they convert freely between the vendor's headers and cubind.
union toyEither;
struct toyPlain;
struct toySecret;
struct toyTag_st;

namespace CUBIND_NAMESPACE::toy {

// The headers do not define these types, or the API only points to them, so they are the vendor's own types.
using ::toyEither;
using ::toyPlain;
using ::toySecret;
using ::toyTag_st;

/// Since 13.4.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

struct toyCrate;

using toyTag = ::toyTag_st;

/// 24 bytes; since 13.4.
struct toyCrate {
    ::toySecret* secret;
    const toyTag* tags[2];
};


}  // namespace CUBIND_NAMESPACE::toy
