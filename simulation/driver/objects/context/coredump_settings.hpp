// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <mutex>
#include <string>

namespace CUBIND_NAMESPACE::sim {

/// Attributes of core dumps, for all contexts or for one. The simulation stores and returns them, but writes no core dumps.
class CoredumpSettings {
public:
    /// Sets the defaults. The names of file and pipe are empty, as with a GPU's driver, which chooses names when it needs them.
    CoredumpSettings();

    /// Writes an attribute to `value`, which has `*size` bytes: the size of the attribute, or enough for a name. If `value` is
    /// null, writes the size of the attribute to `*size`. The release (1000 * major + 10 * minor) decides which flags
    /// CU_COREDUMP_LIGHTWEIGHT stands for.
    driver::CUresult get(driver::CUcoredumpSettings attribute, void* value, std::size_t* size, int release) const;
    /// Sets an attribute from `*size` bytes, or from a name that ends with a NUL, whatever the size. If `value` is null, only
    /// writes the size of the attribute to `*size`.
    driver::CUresult set(driver::CUcoredumpSettings attribute, const void* value, std::size_t* size, int release);
    /// Enables the user's trigger.
    void enable_user_trigger() noexcept { enable_user_trigger_ = true; }
    /// Sets what the flags of a new context request.
    void add_context_flags(unsigned context_flags);

private:
    driver::CUresult set_text(driver::CUcoredumpSettings attribute, const char* text);

    bool enable_on_exception_ = false;
    bool enable_user_trigger_ = false;
    int flags_ = driver::CU_COREDUMP_DEFAULT_FLAGS;
    std::string file_;
    std::string pipe_;
};

/// A function of the program that a GPU's driver calls when a core dump begins or is complete.
struct CoredumpCallback {
    CoredumpCallback(driver::CUcoredumpCallbackHandle own_handle, bool for_start) : handle(own_handle), is_for_start(for_start) {}

    const driver::CUcoredumpCallbackHandle handle;
    const bool is_for_start;
};

/// The attributes of new contexts.
struct GlobalCoredumpSettings {
    std::mutex mutex;
    CoredumpSettings settings;  ///< guarded by the mutex

    /// Returns the attributes of a context with these flags. CU_CTX_USER_COREDUMP_ENABLE also changes those of later contexts.
    CoredumpSettings for_context(unsigned context_flags);
};

}  // namespace CUBIND_NAMESPACE::sim
