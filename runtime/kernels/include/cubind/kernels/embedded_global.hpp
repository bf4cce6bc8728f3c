// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/kernels/embedded_code.hpp>

namespace CUBIND_NAMESPACE {

namespace detail {

/// What identifies a variable of an EmbeddedCode.
class EmbeddedVariable {
public:
    /// `name` is a name expression of the code, such as "&table", or the symbol of the variable.
    constexpr EmbeddedVariable(const EmbeddedCode& code, const char* name) noexcept : code_(code), name_(name) {}
    EmbeddedVariable(const EmbeddedVariable&) = delete;
    EmbeddedVariable& operator=(const EmbeddedVariable&) = delete;

protected:
    const EmbeddedCode& code_;
    const char* name_;
};

}  // namespace detail

/// A __device__ or __constant__ variable of an EmbeddedCode, as a function object that returns a view of the variable on a
/// device. Loads the code at first use. Like the code, an object has static storage duration and is constant-initialized. Any
/// thread may call it.
///
///     copy(stream, kernels::table(device), coefficients);
template <class Type>
class EmbeddedGlobal : private detail::EmbeddedVariable {
public:
    using EmbeddedVariable::EmbeddedVariable;

    /// Returns the view. Throws the exceptions of EmbeddedCode::object_code() and of ObjectCode::global().
    [[nodiscard]] Global<Type> operator()(const Device& device) const {
        return code_.object_code(device).template global<Type>(name_, device);
    }
};

/// A __managed__ variable of an EmbeddedCode. Its memory, which host and devices access, belongs to the code for one
/// architecture.
template <class Type>
class EmbeddedManaged : private detail::EmbeddedVariable {
public:
    using EmbeddedVariable::EmbeddedVariable;

    /// Returns a view of the variable of the code for this device. Throws the exceptions of EmbeddedCode::object_code() and of
    /// ObjectCode::managed().
    [[nodiscard]] Global<Type> operator()(const Device& device) const {
        return code_.object_code(device).template managed<Type>(name_);
    }
};

}  // namespace CUBIND_NAMESPACE
