// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "objects/context/context.hpp"
#include "objects/green/green_context.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A context that is or can be an element of a thread's stack of contexts.
struct CurrentContext {
    unsigned long long id() const noexcept { return green != nullptr ? green->id : context->id; }
    driver::CUcontext handle() const noexcept { return green != nullptr ? green->view : context->handle; }

    std::shared_ptr<Context> context;
    std::shared_ptr<GreenContext> green;  ///< the green context that `context` is the primary context of, or null
};

/// Returns the calling thread's stack of contexts. The last element is current.
std::vector<CurrentContext>& context_stack();

/// Returns the calling thread's current green context, or null. It may no longer be alive.
std::shared_ptr<GreenContext> current_green();

/// Finds a context, which may have ended. Without one of this handle, both pointers are null.
CurrentContext find_context(driver::CUcontext handle);

/// Returns the calling thread's current context, or null. It may no longer be alive.
Context* current_context() noexcept;

}  // namespace CUBIND_NAMESPACE::sim
