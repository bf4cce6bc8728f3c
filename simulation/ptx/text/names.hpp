// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string_view>

/// The names that PTX 9.0 defines, whether or not the simulation supports them.
namespace CUBIND_NAMESPACE::sim::ptx {

/// The newest version of PTX whose names are known.
constexpr int version_of_names = 9000;

/// Returns whether an instruction has this name, without modifiers.
bool is_instruction(std::string_view name) noexcept;

/// Returns whether a special register has this name, without the suffix of a component.
bool is_special_register(std::string_view name) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::ptx
