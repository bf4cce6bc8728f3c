// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>

namespace CUBIND_NAMESPACE::sim {

/// Owns the descriptor of an anonymous file, and knows the file. Other code of the process may close the descriptor, for example
/// with closefrom(). The system then gives its number to another file, which must not be changed, mapped or closed.
class OwnedFile {
public:
    /// Takes ownership of a descriptor. A negative number is no file.
    explicit OwnedFile(int descriptor) noexcept;
    OwnedFile(OwnedFile&& other) noexcept;
    ~OwnedFile();

    /// Returns the descriptor, or -1 if there is no file, or if the number is no longer that of the file.
    int descriptor() const noexcept;
    /// Returns whether both are descriptors of the same file.
    bool is_same(const OwnedFile& other) const noexcept { return device_ == other.device_ && number_ == other.number_; }
    /// Identifies the file on this machine.
    std::uint64_t device() const noexcept { return device_; }
    std::uint64_t number() const noexcept { return number_; }

    /// Gives up ownership. The descriptor can still be used.
    void release() noexcept { is_owner_ = false; }
    /// Takes ownership again after release().
    void take() noexcept { is_owner_ = true; }

private:
    int descriptor_;
    bool is_owner_ = true;
    std::uint64_t device_ = 0;
    std::uint64_t number_ = 0;
};

}  // namespace CUBIND_NAMESPACE::sim
