// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/shared_ptr.hpp>

namespace cubind::detail {

/// Keeps what the work of a graph uses, for as long as the graph or something made from it can still run.
class Retainer {
public:
    /// Nothing to keep, nullptr, is fine.
    virtual void retain(std::shared_ptr<const void> what) = 0;

protected:
    ~Retainer() = default;
};

}  // namespace cubind::detail
