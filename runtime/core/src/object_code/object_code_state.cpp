// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "object_code/object_code_state.hpp"

#include "support/misuse.hpp"

namespace cubind::detail {

ObjectCodeState::ObjectCodeState(CodeType kind, Bytes bytes, ObjectCodeOptions options)
    : kind_(kind), bytes_(std::move(bytes)), options_(std::move(options)) {
    if (bytes_.empty()) throw_misuse("no code: ", title(), " of 0 bytes; give the bytes of a whole file");
}

std::string ObjectCodeState::title() const {
    std::string text = to_string(kind_);
    if (!name().empty()) text.append(" \"").append(name()).append("\"");
    return text;
}

const std::string& ObjectCodeState::symbol_of(const std::string& name) const noexcept {
    for (const auto& [expression, symbol] : symbol_mapping()) {
        if (expression == name) return symbol;
    }
    return name;
}

std::shared_ptr<const LoadedLibrary> ObjectCodeState::library() {
    const std::lock_guard lock(mutex_);
    if (!library_) library_ = std::make_shared<const LoadedLibrary>(*this);
    return library_;
}

}  // namespace cubind::detail
