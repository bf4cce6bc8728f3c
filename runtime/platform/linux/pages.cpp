// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::detail {

namespace {

constexpr int reserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* at(std::uintptr_t address) noexcept {
    return reinterpret_cast<void*>(address);
}

std::uintptr_t address_of(void* mapped) noexcept {
    return mapped == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(mapped);
}

}  // namespace

std::size_t page_size() noexcept {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::uintptr_t reserve_pages(std::size_t size, PageAccess access) noexcept {
    const int protection = access == PageAccess::none ? PROT_NONE : PROT_READ | PROT_WRITE;
    return address_of(::mmap(nullptr, size, protection, reserved, -1, 0));
}

void release_pages(std::uintptr_t address, std::size_t size) noexcept {
    ::munmap(at(address), size);
}

bool discard_pages(std::uintptr_t address, std::size_t size) noexcept {
    return ::madvise(at(address), size, MADV_DONTNEED) == 0;
}

std::uintptr_t map_shared_pages(int file, std::size_t size) noexcept {
    return address_of(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
}

bool replace_pages(std::uintptr_t address, std::size_t size, int file, std::uint64_t offset) noexcept {
    constexpr int flags = MAP_SHARED | MAP_FIXED;
    const auto from = static_cast<off_t>(offset);
    if (::mmap(at(address), size, PROT_READ | PROT_WRITE, flags, file, from) == MAP_FAILED) return false;
    ::madvise(at(address), size, MADV_DONTFORK);
    return true;
}

void restore_pages(std::uintptr_t address, std::size_t size) noexcept {
    (void)::mmap(at(address), size, PROT_READ | PROT_WRITE, reserved | MAP_FIXED, -1, 0);
}

}  // namespace CUBIND_NAMESPACE::detail
