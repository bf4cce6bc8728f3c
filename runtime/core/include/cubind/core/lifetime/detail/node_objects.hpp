// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/retainer.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// The objects that one node of a graph uses.
using ObjectList = std::vector<std::shared_ptr<const void>>;

/// Collects the objects that the arguments of a node use.
class CUBIND_EXPORT NodeObjects final : public Retainer {
public:
    /// Adds an object; nullptr is ignored.
    void retain(std::shared_ptr<const void> object) override;
    /// Returns the collected objects. The collection is empty afterwards.
    ObjectList take() noexcept { return std::exchange(objects_, {}); }

private:
    ObjectList objects_;
};

}  // namespace CUBIND_NAMESPACE::detail
