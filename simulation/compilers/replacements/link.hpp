// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/nvjitlink/types.hpp>

#include <memory>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// A link of nvJitLink for which a program asked for machine code. Like nvJitLink's handles, it is used by one thread at a time.
struct Link {
    explicit Link(bool own_is_lto) : is_lto(own_is_lto) {}

    /// Adds an input. Returns false if the simulated driver cannot link inputs of its type.
    bool add(nvjitlink::nvJitLinkInputType type, std::string bytes, const char* name);
    /// Links the inputs to PTX by the simulated driver. Returns false and sets `problem` if the link fails.
    bool complete();

    const bool is_lto;    ///< whether nvJitLink itself links inputs of LTO-IR to PTX
    std::string code;     ///< the result, which ends with NUL; empty before it is complete
    std::string problem;  ///< why the link failed

private:
    struct Input {
        unsigned type;
        std::string bytes;
        std::string name;
    };
    std::vector<Input> inputs_;
};

/// Adds a link for nvJitLink's handle. All functions are thread-safe.
void add_link(nvjitlink::nvJitLinkHandle handle, bool is_lto);
/// Returns the link of a handle, or null.
std::shared_ptr<Link> find_link(nvjitlink::nvJitLinkHandle handle) noexcept;
void remove_link(nvjitlink::nvJitLinkHandle handle) noexcept;

/// Reads a file. Returns false if it cannot be read.
bool read_whole_file(const char* path, std::string& bytes);

}  // namespace CUBIND_NAMESPACE::sim
