// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>

#include <string>
#include <vector>

/// Checks of code before the driver loads it, and explanations of what the driver has rejected.
namespace CUBIND_NAMESPACE::detail {

class ObjectCodeState;

/// The form of an image. The driver detects it by the first bytes, independently of the CodeType.
enum class ImageForm { binary, text };

/// Returns the form of code that can be loaded. Throws std::invalid_argument for a kind that must be linked first, and
/// LoadError for a truncated image: the driver receives no size, so it would read beyond the end.
[[nodiscard]] ImageForm check_image(const ObjectCodeState& code);

/// Returns which code the driver rejected, the reason if it can be found, and what to do. `log` is the log of the
/// driver's compiler.
[[nodiscard]] std::string load_advice(const Error& failure, const ObjectCodeState& code, const std::string& log);

/// Returns a message that the code has no kernel of that name. The message lists the kernels of the code if the driver can list
/// them.
[[nodiscard]] std::string unknown_kernel_advice(const std::string& name, const ObjectCodeState& code,
                                                const std::vector<std::string>& kernels);

/// Returns a message that the code has no variable of that kind and name.
[[nodiscard]] std::string unknown_variable_advice(const char* kind, const std::string& name, const ObjectCodeState& code);

}  // namespace CUBIND_NAMESPACE::detail
