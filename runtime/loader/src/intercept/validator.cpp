// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/validator.hpp>

namespace CUBIND_NAMESPACE::detail {

constinit Validator current_validator = nullptr;

void set_validator(Validator validator) noexcept {
    __atomic_store_n(&current_validator, validator, __ATOMIC_RELAXED);
}

}  // namespace CUBIND_NAMESPACE::detail
