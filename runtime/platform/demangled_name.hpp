// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the name of a mangled symbol as in the source: "void scale<float>(float*, int)". Empty if it is not mangled.
inline std::string demangled_name(const char* symbol) {
    if (symbol[0] != '_' || symbol[1] != 'Z') return {};
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free);
    return status == 0 && text != nullptr ? std::string(text.get()) : std::string();
}

}  // namespace CUBIND_NAMESPACE::detail
