// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {

std::string advice_on_context(driver::CUresult failure, StreamRef stream) {
    if (failure != driver::CUDA_ERROR_INVALID_CONTEXT || !stream.is_default()) return {};
    return "A default stream belongs to the calling thread's current context, and no context is current. Call "
           "Device::set_current() first, or use a Stream.";
}

}  // namespace CUBIND_NAMESPACE::detail
