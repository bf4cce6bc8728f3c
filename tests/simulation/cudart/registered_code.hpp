// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cudart_test.hpp"

namespace cubind::testing {

/// Code that is registered as nvcc's code registers itself: a kernel `scale(values, count)` that multiplies floats by the
/// constant `factor`, adds 1 to the variable `launches` and to the managed variable `shared_launches`; and a kernel that no PTX
/// contains.
class RegisteredCode {
public:
    explicit RegisteredCode(int capability = 75);
    ~RegisteredCode();
    RegisteredCode(const RegisteredCode&) = delete;
    RegisteredCode& operator=(const RegisteredCode&) = delete;

    static std::string ptx();

    const void* scale = &scale_;
    const void* missing = &missing_;
    const void* factor = &factor_;
    const void* launches = &launches_;
    /// Address of the pointer to the managed variable, by which programs name the variable.
    int* const* shared_launches = &shared_launches_;

    /// Initializes the managed variables.
    bool initialize() const;

private:
    struct Structure {
        int magic;
        int version;
        const void* data;
        void* unused;
    };

    std::string binary_;
    Structure structure_;
    void** handle_;
    char scale_ = 0;
    char missing_ = 0;
    char factor_ = 0;
    char launches_ = 0;
    int* shared_launches_ = nullptr;
};

}  // namespace cubind::testing
