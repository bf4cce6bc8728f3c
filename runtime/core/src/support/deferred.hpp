// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::detail {

/// Something that ends where CUDA must not be called, as in a callback of the driver, but whose destructor may have to call it.
class Deferred {
public:
    Deferred() = default;
    Deferred(const Deferred&) = delete;
    Deferred& operator=(const Deferred&) = delete;
    virtual ~Deferred() = default;

private:
    friend class DeferredThread;
    Deferred* next_ = nullptr;
};

/// Starts the thread that destroys what is deferred. Has to be called, and may throw, before anything can be deferred.
void prepare_to_defer();

/// Has another thread destroy it. May be called where nothing may fail: it neither allocates nor calls CUDA.
void destroy_later(Deferred* what) noexcept;

/// Waits until all that was deferred before is destroyed.
void wait_for_deferred();

}  // namespace cubind::detail
