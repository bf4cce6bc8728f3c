// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/mathdx/types.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "device/family.hpp"
#include "device/request.hpp"

namespace CUBIND_NAMESPACE::math::device::detail {

/// Owns a descriptor of libmathdx with all operators of a request. Only one thread at a time may use it.
class Descriptor {
public:
    Descriptor(const Family& family, const Request& request);
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();

    /// Returns a number that libmathdx derives from the operators.
    template <class Trait>
    long long trait(Trait number) const {
        return trait_of(static_cast<int>(number));
    }
    /// Returns three numbers.
    template <class Trait>
    std::vector<long long> traits(Trait number) const {
        return traits_of(static_cast<int>(number));
    }

    /// Returns the LTO-IR of the function; compiles.
    std::string code() const;
    /// Returns the code that all functions of the family call; empty if there is none.
    std::string fat_binary() const;

    Handle handle() const noexcept { return handle_; }
    const Request& request() const noexcept { return request_; }

private:
    long long trait_of(int number) const;
    std::vector<long long> traits_of(int number) const;
    void apply(const Setting& setting) const;

    const Family& family_;
    const Request& request_;
    Handle handle_;
};

}  // namespace CUBIND_NAMESPACE::math::device::detail
