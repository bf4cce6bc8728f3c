// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <memory>
#include <utility>

/// Part of <cubind/core/stream/run_loop.hpp> and completion.hpp; <cubind/core.hpp> does not include this header.
namespace CUBIND_NAMESPACE::detail {

/// A function in the queue of a RunLoop.
class CUBIND_EXPORT QueuedFunction {
public:
    QueuedFunction(const QueuedFunction&) = delete;
    QueuedFunction& operator=(const QueuedFunction&) = delete;
    virtual ~QueuedFunction() = default;
    virtual void call() = 0;

    std::unique_ptr<QueuedFunction> next;

protected:
    QueuedFunction() = default;
};

/// Adds functions that were allocated before to a RunLoop or a ThreadPool, which cannot fail.
class QueueAccess {
public:
    template <class Queue>
    static auto add(Queue& queue, std::unique_ptr<QueuedFunction> function) noexcept -> decltype(queue.add(std::move(function))) {
        queue.add(std::move(function));
    }
};

}  // namespace CUBIND_NAMESPACE::detail
