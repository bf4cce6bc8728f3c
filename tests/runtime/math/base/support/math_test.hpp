// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "call_record.hpp"
#include "core_test.hpp"

namespace cubind::testing {

/// Returns the message of the exception that the call throws.
template <class Exception, class Call>
std::string message_of(Call call) {
    try {
        call();
    } catch (const Exception& error) {
        FailedCalls::get().forget();  // the failure was intended
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

}  // namespace cubind::testing
