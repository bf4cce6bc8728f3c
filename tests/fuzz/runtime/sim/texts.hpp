// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "choices.hpp"

/// Texts that a call may be given.
namespace cubind::fuzz {

/// A name of a symbol, a kernel, a variable or a bus, or none at all.
std::string any_text(Choices& choices);
/// A file that can be neither read nor written to any effect.
std::string any_path(Choices& choices);
/// A module as text, sometimes with a byte changed, or what is no module.
std::string any_image(Choices& choices);

}  // namespace cubind::fuzz
