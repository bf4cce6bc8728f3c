// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <memory>

namespace CUBIND_NAMESPACE::detail {

class EglConnection;

/// Drops the reference of an owner.
struct CUBIND_EXPORT EglConnectionDeleter {
    void operator()(EglConnection* connection) const noexcept;
};

/// The reference by which a consumer or a producer owns its connection. Acquired frames have further references.
using EglConnectionOwner = std::unique_ptr<EglConnection, EglConnectionDeleter>;

}  // namespace CUBIND_NAMESPACE::detail
