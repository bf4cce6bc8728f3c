// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/shared_number.hpp"

#include <cubind/detail/write_signals.hpp>

#include <array>
#include <sys/mman.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::sim {

namespace {

using Content = std::array<std::uint64_t, 4>;

Content content_of(SharedKind kind, std::uint64_t number) {
    constexpr std::uint64_t mark = 0x6375'6269'6e64'7369;
    return {mark, static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(kind), number};
}

}  // namespace

int share_number(SharedKind kind, std::uint64_t number) {
    const int file = memfd_create("cubind-shared", MFD_CLOEXEC);
    const Content content = content_of(kind, number);
    cubind::detail::WithoutWriteSignals signals;
    if (file >= 0 && pwrite(file, content.data(), sizeof content, 0) != static_cast<ssize_t>(sizeof content)) {
        signals.has_failed = true;
        close(file);
        return -1;
    }
    return file;
}

std::optional<std::uint64_t> shared_number(int descriptor, SharedKind kind) {
    Content content{};
    if (pread(descriptor, content.data(), sizeof content, 0) != static_cast<ssize_t>(sizeof content)) return std::nullopt;
    return content == content_of(kind, content.back()) ? std::optional(content.back()) : std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::sim
