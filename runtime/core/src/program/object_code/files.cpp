// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The functions of ObjectCode that read and write files.

#include <cubind/core/program/object_code.hpp>

#include "files/replacement_file.hpp"
#include "files/whole_file.hpp"

namespace CUBIND_NAMESPACE {

ObjectCode ObjectCode::from_file(CodeType kind, const std::string& path, ObjectCodeOptions options) {
    const std::string content = detail::read_whole_file(path, "ObjectCode::from_file");
    if (options.name.empty()) options.name = path;
    return from_bytes(kind, std::string_view(content), std::move(options));
}

void ObjectCode::save(const std::string& path) const {
    detail::replace_file(path, bytes(), "ObjectCode::save");
}

}  // namespace CUBIND_NAMESPACE
