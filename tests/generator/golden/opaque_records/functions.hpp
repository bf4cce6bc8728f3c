// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
/// tag: in, opaque.
/// either: inout, opaque.
CUBIND_EXPORT Result<toyStatus> toyMark(const toyTag* tag, ::toyEither* either, toyCrate crate) noexcept;

/// Since 13.4. Returns status, secret.
/// plain: in, opaque.
CUBIND_EXPORT Result<toyStatus, ::toySecret*> toyOpen(::toyPlain* plain) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
