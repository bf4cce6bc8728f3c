// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/object_code.hpp>

#include <memory>
#include <mutex>
#include <string>

#include "object_code/loaded_library.hpp"

namespace cubind::detail {

/// What all copies of an ObjectCode share.
class ObjectCodeState {
public:
    ObjectCodeState(CodeType kind, Bytes bytes, ObjectCodeOptions options);

    CodeType kind() const noexcept { return kind_; }
    const Bytes& bytes() const noexcept { return bytes_; }
    const std::string& name() const noexcept { return options_.name; }
    const SymbolMapping& symbol_mapping() const noexcept { return options_.symbol_mapping; }

    /// For messages: `cubin "saxpy"`, or `cubin` without a name.
    std::string title() const;

    /// The symbol that a name stands for: a name expression's, else the name itself.
    const std::string& symbol_of(const std::string& name) const noexcept;

    /// Loads the code unless that has been done. What failed is tried again the next time.
    std::shared_ptr<const LoadedLibrary> library();

private:
    CodeType kind_;
    Bytes bytes_;
    ObjectCodeOptions options_;
    std::mutex mutex_;
    std::shared_ptr<const LoadedLibrary> library_;
};

}  // namespace cubind::detail
