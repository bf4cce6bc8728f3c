// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "error.hpp"

namespace cubind::testing {
namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "cubind_gen_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create a temporary folder at " + pattern);
    path_ = fs::canonical(pattern);
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path ScratchFolder::write(const std::string& relative, const std::string& text) const {
    write_file(below(relative), text);
    return below(relative);
}

std::string ScratchFolder::read(const std::string& relative) const {
    return read_file(below(relative));
}

void ScratchFolder::replace(const std::string& relative, const std::string& before, const std::string& now) const {
    std::string text = read(relative);
    const std::size_t at = text.find(before);
    if (at == std::string::npos) {
        ADD_FAILURE() << relative << " has no \"" << before << "\"";
        return;
    }
    write(relative, text.replace(at, before.size(), now));
}

std::map<std::string, std::string> ScratchFolder::files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
        if (entry.is_regular_file()) found[entry.path().lexically_relative(path_).generic_string()] = read_file(entry.path());
    }
    return found;
}

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) ADD_FAILURE() << file << " cannot be read";
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

void write_file(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (!stream.flush()) ADD_FAILURE() << file << " cannot be written";
}

std::string input_error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const gen::InputError& error) {
        return error.what();
    }
    ADD_FAILURE() << "no InputError was thrown";
    return {};
}

void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << text;
}

}  // namespace cubind::testing
