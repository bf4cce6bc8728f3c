// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <string>

namespace CUBIND_NAMESPACE::sim {

/// The way from a function of a static runtime library to the one of the simulated library.
struct RuntimeEntry {
    /// The function of the simulated library; before the first call, code that finds it. The jump of patched functions reads it.
    std::atomic<void*> target;
    const char* name = nullptr;
};

/// Entries by the names of their functions. They exist until the process ends, because patched functions refer to them.
using RuntimeEntries = std::map<std::string, RuntimeEntry, std::less<>>;

/// Returns an entry for each function of the simulated runtime library, whose file is beside this library. Returns nothing if the
/// file is missing. Only the dynamic linker calls it, which loads one library at a time.
RuntimeEntries& runtime_entries();

/// Overwrites the beginning of a function with a jump to the target of an entry. The memory must be writable, and the function
/// has at least patch_size bytes.
void patch(void* function, const RuntimeEntry& entry) noexcept;
inline constexpr std::size_t patch_size = 13;

}  // namespace CUBIND_NAMESPACE::sim
