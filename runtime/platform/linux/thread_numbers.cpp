// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/thread_numbers.hpp"

#include <pthread.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::detail {

ThreadNumbers this_thread_numbers() noexcept {
    return {static_cast<unsigned long>(::pthread_self()), static_cast<unsigned long>(::gettid())};
}

}  // namespace CUBIND_NAMESPACE::detail
