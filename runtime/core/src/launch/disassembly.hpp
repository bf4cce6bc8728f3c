// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/bytes.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the output of nvdisasm for a cubin. `function` names the caller in messages. Throws std::invalid_argument for other
/// code, and LoadError if nvdisasm is not found or fails.
std::string disassemble(const char* function, const Bytes& code);

/// Returns the part of the output that has the kernel with this symbol; empty if there is none.
std::string kernel_in(const std::string& disassembly, const std::string& symbol);

}  // namespace CUBIND_NAMESPACE::detail
