// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stream/advice_on_context.hpp"

namespace cubind::detail {

std::string advice_on_context(driver::CUresult failure, StreamRef stream) {
    if (failure != driver::CUDA_ERROR_INVALID_CONTEXT || !stream.is_default()) return {};
    return "A default stream is that of the calling thread's current context, and there is none: call Device::set_current() before, or "
           "use a Stream.";
}

}  // namespace cubind::detail
