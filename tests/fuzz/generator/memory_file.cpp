// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory_file.hpp"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#include "error.hpp"

namespace cubind::fuzz {

namespace fs = std::filesystem;

MemoryFile::MemoryFile(const std::string& name) : descriptor_(memfd_create(name.c_str(), 0)) {
    std::string folder = fs::temp_directory_path() / "cubind_fuzz_XXXXXX";
    if (descriptor_ < 0 || mkdtemp(folder.data()) == nullptr) std::abort();
    root_ = folder;
    path_ = root_ / "toy" / name;
    fs::create_directory(root_ / "toy");
    fs::create_symlink("/proc/self/fd/" + std::to_string(descriptor_), path_);
}

MemoryFile::~MemoryFile() {
    close(descriptor_);
    fs::remove_all(root_);
}

void MemoryFile::write(const void* data, std::size_t size) const {
    if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
}

void allow_only_input_errors(const MemoryFile& file, const std::uint8_t* data, std::size_t size,
                             void (*read)(const fs::path& path)) {
    file.write(data, size);
    try {
        read(file.path());
    } catch (const gen::InputError& error) {
        if (*error.what() == '\0') std::abort();
    }
}

}  // namespace cubind::fuzz
