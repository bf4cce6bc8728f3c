// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/linker.hpp>
#include <cubind/error.hpp>

#include <span>
#include <string>

namespace CUBIND_NAMESPACE::detail {

/// The linker that this process uses.
struct BackendChoice {
    LinkerBackend backend;
    std::string fallback_reason;  ///< why nvJitLink is not used; empty if it is used
};

/// Chooses nvJitLink if it is installed and new enough, else the driver.
BackendChoice choose_backend();

/// The input of one link. `options.arch` is not empty.
struct LinkJob {
    std::span<const ObjectCode> objects;
    LinkerOptions options;
    CodeType target;
};

/// The result of a link.
struct Linked {
    Bytes code;
    std::string info_log;
    std::string error_log;
};

/// Chooses the driver for a link to PTX on a simulated device, instead of nvJitLink, and removes the job's
/// options for machine code, which have no effect there.
BackendChoice simulated_backend(LinkJob& job);

/// Returns the name of an input in the linker's log: the name of the ObjectCode, or "input 1" and so on if it has no name.
std::string input_name(const LinkJob& job, std::size_t index);

/// The bytes of an input. Linkers read PTX up to a NUL, whatever size they are given, so the class adds a NUL to PTX.
class InputBytes {
public:
    explicit InputBytes(const ObjectCode& object);

    const void* data() const noexcept { return text_.empty() ? static_cast<const void*>(bytes_.data()) : text_.data(); }
    std::size_t size() const noexcept { return text_.empty() ? bytes_.size() : text_.size(); }

private:
    std::span<const std::byte> bytes_;
    std::string text_;  // a copy with a NUL, if the bytes have none
};

/// Returns the error for a link that failed. Its message lists the inputs and the architecture, then the log.
LinkError link_error(const Error& failure, const LinkJob& job, const std::string& log);

/// Links, or throws LinkError.
Linked link_with_nvjitlink(const LinkJob& job);
/// Messages name the inputs of `named`, from which those of the job were made.
Linked link_with_driver(const LinkJob& job, const LinkJob& named);

}  // namespace CUBIND_NAMESPACE::detail
