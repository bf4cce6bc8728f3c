// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/host_function.hpp>

namespace CUBIND_NAMESPACE::detail {
namespace {

constinit thread_local int host_function_count = 0;  // living HostFunctionScope objects of this thread

}  // namespace

HostFunctionScope::HostFunctionScope() noexcept {
    ++host_function_count;
}

HostFunctionScope::~HostFunctionScope() {
    --host_function_count;
}

bool is_in_host_function() noexcept {
    return host_function_count > 0;
}

}  // namespace CUBIND_NAMESPACE::detail
