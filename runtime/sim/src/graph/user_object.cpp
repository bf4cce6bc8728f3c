// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/user_object.hpp"

namespace CUBIND_NAMESPACE::sim {

std::shared_ptr<UserReferences> copy(const UserReferences& references) {
    auto copied = std::make_shared<UserReferences>();
    for (const auto& [object, reference] : references) copied->emplace(object, reference.copy());
    return copied;
}

}  // namespace CUBIND_NAMESPACE::sim
