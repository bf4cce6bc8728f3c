// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <memory>

namespace CUBIND_NAMESPACE::detail {

/// Retains the objects that captured work uses, for as long as the graph, or a graph instantiated from it, can still run.
class CUBIND_EXPORT Retainer {
public:
    /// Retains an object; nullptr is ignored.
    virtual void retain(std::shared_ptr<const void> object) = 0;

protected:
    ~Retainer() = default;
};

}  // namespace CUBIND_NAMESPACE::detail
