// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

namespace CUBIND_NAMESPACE::layers {

class Layer;

/// The part of the stack below a layer: further layers, then the vendor's function.
class CUBIND_EXPORT Next {
public:
    /// Creates the object from the rest of a chain of layers, which ends with null.
    explicit Next(Layer* const* rest) noexcept : rest_(rest) {}

    /// Passes the call to the next layer or to the vendor's function. A layer calls this at most once per call; if it does
    /// not call it, the layer must write the call's return value.
    void operator()(const Call& call) const noexcept;

private:
    Layer* const* rest_;
};

/// Base class of layers. A layer receives every call that the process makes through cubind, of all libraries. Threads call
/// handle() concurrently. The layers trace, validate, faults, leaks and nvtx derive from it, and so can a program's own layers.
class CUBIND_EXPORT Layer {
public:
    /// Handles one call: passes it on with `next`, or writes its return value.
    virtual void handle(const Call& call, const Next& next) noexcept = 0;

protected:
    /// Not virtual: the stack never destroys a layer.
    ~Layer() = default;
};

/// Adds a layer on top of all others, so that it receives calls first. A layer that is already in the stack moves to the top.
/// While the stack has a layer, calls go through interceptors; otherwise they are direct. Any thread may call it.
CUBIND_EXPORT void push(Layer& layer);

/// Removes a layer. Other threads may still be in handle() for calls that they began before; the layer must live until they have
/// returned. Any thread may call it.
CUBIND_EXPORT void remove(Layer& layer) noexcept;

/// Returns whether the layer is in the stack. Any thread may call it.
CUBIND_EXPORT bool is_on(const Layer& layer) noexcept;

/// Bypasses all layers for the calling thread's calls during its lifetime. Layers use it for calls that they make themselves.
class CUBIND_EXPORT Unobserved {
public:
    /// Begins to bypass all layers. Objects may be nested.
    Unobserved() noexcept;
    /// Ends the bypass if it is the outermost object of the thread.
    ~Unobserved();
    Unobserved(const Unobserved&) = delete;
    Unobserved& operator=(const Unobserved&) = delete;
};

}  // namespace CUBIND_NAMESPACE::layers
