// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/file_descriptor.hpp>

#include <cstddef>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

namespace cubind::testing {

/// An anonymous file, which the simulated driver imports as memory or as a semaphore of another interface. The test reads and
/// writes the file as that interface would.
class ExportedFile {
public:
    explicit ExportedFile(std::size_t size)
        : size_(size), file_(FileDescriptor::from_native_handle(::memfd_create("cubind-test", MFD_CLOEXEC | MFD_ALLOW_SEALING))) {
        if (::ftruncate(file_.native_handle(), static_cast<off_t>(size)) != 0) throw std::runtime_error("ftruncate() failed");
        data_ = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_.native_handle(), 0);
        if (data_ == MAP_FAILED) throw std::runtime_error("mmap() failed");
    }
    ExportedFile(const ExportedFile&) = delete;
    ExportedFile& operator=(const ExportedFile&) = delete;
    ~ExportedFile() { ::munmap(data_, size_); }

    /// Returns a new descriptor of the file.
    FileDescriptor descriptor() const {
        return FileDescriptor::from_native_handle(::fcntl(file_.native_handle(), F_DUPFD_CLOEXEC, 0));
    }
    template <class Element>
    Element* data() const {
        return static_cast<Element*>(data_);
    }

private:
    std::size_t size_;
    FileDescriptor file_;
    void* data_ = nullptr;
};

/// Returns whether the number is that of an open descriptor.
inline bool is_open(int descriptor) {
    return ::fcntl(descriptor, F_GETFD) >= 0;
}

}  // namespace cubind::testing
