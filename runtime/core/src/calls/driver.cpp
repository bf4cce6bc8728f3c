// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {

void throw_with_advice(Result<driver::CUresult> failed, const std::string& advice) {
    try {
        detail::check_latest(failed);
    } catch (const OutOfMemory& error) {
        if (advice.empty()) throw;
        throw OutOfMemory(error, advice);
    } catch (const Error& error) {
        if (advice.empty()) throw;
        throw Error(error, advice);
    }
    throw_misuse(advice);
}

}  // namespace CUBIND_NAMESPACE::detail
