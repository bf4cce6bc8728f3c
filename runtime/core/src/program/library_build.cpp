// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/library_build.hpp"

#include <cubind/detail/ptx_isa.hpp>

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "errors/misuse.hpp"
#include "files/hash.hpp"
#include "platform/dynamic_library.hpp"
#include "platform/elf_file.hpp"
#include "platform/file.hpp"
#include "platform/fork_hook.hpp"
#include "platform/loaded_path.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

std::string content_hash(int file) {
    RunningHash hash;
    std::vector<std::byte> block(1 << 20);
    for (;;) {
        const ReadResult got = read_all(file, block.data(), block.size());
        if (got.error != 0) return {};
        hash.add(block.data(), got.bytes);
        if (got.bytes < block.size()) break;
    }
    return hexadecimal(hash.value());
}

/// Returns the path of a library that this process has loaded, or an empty string.
std::string path_of_loaded(const std::string& name) {
    const LibraryHandle library(find_loaded_library(name.c_str()));
    return library != nullptr ? loaded_path(library.get()) : std::string();
}

}  // namespace

std::string file_build(const std::string& path) {
    const Descriptor file = open_to_read(path.c_str());
    FileStatus status;
    if (!file || status_of_file(file.number(), status) != 0 || status.kind != FileKind::regular) return {};
    const std::vector<std::byte> id = elf_build_id(file.number());
    return id.empty() ? content_hash(file.number()) : hexadecimal(id);
}

std::string library_build(const std::string& path) {
    if (path.empty()) return {};
    static std::mutex mutex;
    static const ForkHook fork_hook(&mutex);
    static auto& builds = *new std::map<std::string, std::string>;  // never destroyed: code that runs at exit may use it
    const std::lock_guard guard(mutex);
    std::string& build = builds[path];
    if (build.empty()) build = file_build(path);
    return build;
}

std::string nvrtc_build(const std::string& path, int version) {
    const std::string name = concat("libnvrtc-builtins.so.", release_text(version));
    std::string builtins = library_build(concat(path.substr(0, path.rfind('/') + 1), name));
    if (builtins.empty()) builtins = library_build(path_of_loaded(name));
    const std::string compiler = library_build(path);
    return compiler.empty() || builtins.empty() ? std::string() : concat(compiler, " ", builtins);
}

}  // namespace CUBIND_NAMESPACE::detail
