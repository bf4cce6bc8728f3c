// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/object_code.hpp>

#include <memory>
#include <mutex>
#include <string>

#include "program/object_code/loaded_library.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The state that all copies of an ObjectCode share.
class ObjectCodeState {
public:
    /// Throws std::invalid_argument if there are no bytes.
    ObjectCodeState(CodeType kind, Bytes bytes, ObjectCodeOptions options);

    CodeType kind() const noexcept { return kind_; }
    const Bytes& bytes() const noexcept { return bytes_; }
    const std::string& name() const noexcept { return options_.name; }
    const SymbolMapping& symbol_mapping() const noexcept { return options_.symbol_mapping; }
    const ConstantMapping& constants() const noexcept { return options_.constants; }

    /// Returns the code's kind and name for messages: `cubin "saxpy"`, or `cubin` without a name.
    std::string title() const;

    /// Returns the symbol if the name is a name expression, otherwise the name itself.
    const std::string& symbol_of(const std::string& name) const;

    /// Loads the code at first use. After a failure the next call tries again.
    std::shared_ptr<const LoadedLibrary> library();

    /// Returns a kernel of the library, which it retains.
    Kernel make_kernel(driver::CUkernel handle, std::string symbol, std::shared_ptr<const LoadedLibrary> library) const;

private:
    CodeType kind_;
    Bytes bytes_;
    ObjectCodeOptions options_;
    std::mutex mutex_;
    std::shared_ptr<const LoadedLibrary> library_;
};

}  // namespace CUBIND_NAMESPACE::detail
