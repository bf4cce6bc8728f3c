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

    /// Whether it may be destroyed already; it is asked again and again.
    virtual bool is_ready() noexcept { return true; }

private:
    friend class DeferredThread;
    friend void keep_for_good(Deferred* what) noexcept;
    Deferred* next_ = nullptr;
};

/// Starts the thread that destroys what is deferred. Has to be called, and may throw, before anything can be deferred.
void prepare_to_defer();

/// Has another thread destroy it once it is ready. May be called where nothing may fail: it neither allocates nor calls CUDA.
void destroy_later(Deferred* what) noexcept;

/// Never destroys it.
void keep_for_good(Deferred* what) noexcept;

/// Waits until all that was deferred before is destroyed.
void wait_for_deferred();

}  // namespace cubind::detail
