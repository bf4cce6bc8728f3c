// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/evaluated_constant.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// Returns the source with one declaration for each expression. The compiler states the symbol of each declaration, as of a name
/// expression, and the symbol contains the kind and the value. The declarations have no definitions, so the generated code is
/// that of the source alone: kernels, variables and debug information are the same, whatever the target is.
[[nodiscard]] std::string evaluation_source(const std::string& source, std::span<const std::string> expressions);

/// Returns the name expression of the declaration with this number.
[[nodiscard]] std::string declaration_name(std::size_t number);

/// Returns the constant that the symbol of a declaration contains, or std::nullopt for any other text.
[[nodiscard]] std::optional<EvaluatedConstant> constant_in_symbol(std::string_view symbol) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
