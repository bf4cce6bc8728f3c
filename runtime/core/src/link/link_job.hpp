// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/linker.hpp>
#include <cubind/error.hpp>

#include <span>
#include <string>

namespace cubind::detail {

/// One link, with an architecture.
struct LinkJob {
    std::span<const ObjectCode> objects;
    LinkerOptions options;
    CodeType target;
};

struct Linked {
    Bytes code;
    std::string info_log;
    std::string error_log;
};

/// What the linker's log calls an input: its name, or the n-th.
std::string input_name(const LinkJob& job, std::size_t index);

/// An input's bytes. Linkers read PTX up to a NUL, whatever size they are told, so it has one here.
class InputBytes {
public:
    explicit InputBytes(const ObjectCode& object);

    const void* data() const noexcept { return text_.empty() ? static_cast<const void*>(bytes_.data()) : text_.data(); }
    std::size_t size() const noexcept { return text_.empty() ? bytes_.size() : text_.size(); }

private:
    std::span<const std::byte> bytes_;
    std::string text_;  // with a NUL, where the bytes have none
};

/// The error for a link that failed. Its message says what was linked for what, then the log.
LinkError link_error(const Error& failure, const LinkJob& job, const std::string& log);

Linked link_with_nvjitlink(const LinkJob& job);
Linked link_with_driver(const LinkJob& job);

}  // namespace cubind::detail
