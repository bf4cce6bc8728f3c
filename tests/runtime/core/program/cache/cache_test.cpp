// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache_test.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace cubind::testing {
namespace {

std::filesystem::path make_scratch() {
    std::string path = ::testing::TempDir() + "cubind_cache_XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot create the folder " + path);
    return path;
}

}  // namespace

Bytes program(std::size_t size, unsigned seed) {
    std::string text(size, '\0');
    std::generate(text.begin(), text.end(), [&] { return static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24); });
    return Bytes::copy_of(text.data(), text.size());
}

std::string read_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

void write_file(const std::filesystem::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

NotRoot::NotRoot(const std::filesystem::path& folder) {
    if (::getuid() != 0) return;
    if (::chown(folder.c_str(), ordinary_user, static_cast<gid_t>(-1)) != 0 || ::seteuid(ordinary_user) != 0) {
        throw std::runtime_error("root cannot act as another user");
    }
}

NotRoot::~NotRoot() {
    if (::getuid() == 0 && ::seteuid(0) != 0) std::abort();
}

FileCacheTest::FileCacheTest() : scratch(make_scratch()) {}

FileCacheTest::~FileCacheTest() {
    std::filesystem::remove_all(scratch);
}

std::vector<std::string> FileCacheTest::names() const {
    std::vector<std::string> found;
    for (const auto& each : std::filesystem::directory_iterator(folder)) found.push_back(each.path().filename());
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace cubind::testing
