// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_points.hpp>

#include <cstddef>
#include <stddef.h>
#include <vector>

namespace cubind::testing {

struct RecordedCall;
class OmittedArguments;

/// The bytes of a record that hold no field, and the fields whose initial value is not zero.
struct Layout {
    struct Padding {
        std::size_t offset, size;
    };
    struct Start {
        std::size_t offset, size;
        unsigned long long value;
    };
    static constexpr std::size_t max_entries = 512;  ///< a record may hold an array of records with padding
    Padding padding[max_entries];                    ///< ends at the first element of size 0
    Start starts[max_entries];                       ///< ends at the first element of value 0
};

/// The size, the alignment and the layout of a type, and whether it is bool.
struct Type {
    std::size_t size;
    std::size_t alignment;
    const Layout* layout;
    bool is_bool;
};

struct Types {
    const Type* types;
    std::size_t count;

    const Type& operator[](std::size_t index) const { return types[index]; }
};

/// The signatures of a C function and its wrapper, and a function that calls the wrapper with bytes.
struct Signature {
    Type returned;     ///< type that the C function returns; size 0 for void
    Types parameters;  ///< parameters of the C function
    Types arguments;   ///< arguments of the wrapper
    Types values;      ///< values that the wrapper returns after the status
    bool returns_status;
    void (*call)(void (*wrapper)(), RecordedCall& call);
};

/// Properties that only some functions have.
struct Special {
    void (*omitted_arguments)(OmittedArguments& values) =
        nullptr;                    ///< adds the default values of the last arguments, which are not passed
    std::size_t adapted = 0;        ///< index of the C parameter that the wrapper changes
    unsigned long long unless = 0;  ///< bits that prevent the change
    unsigned long long set = 0;     ///< bits that the wrapper sets; 0 for no change
};

/// A C++ name and the call that it makes according to api-specs/.
struct Function {
    const char* group;
    const char* name;
    const char* symbol;
    const char* roles;           ///< one letter per C parameter: p is passed on, o is an output, b is an input and an output
    const char* parameters;      ///< names of the C parameters
    const Signature* signature;  ///< null if the name must denote the same wrapper as in the first mode
    void* callee;                ///< a C function of that signature that records its call
    void (*wrapper)();           ///< null if its type does not match the signature
    const char* actual_type;     ///< text that contains the type of the wrapper if it does not match
    Special special;
};

struct FunctionList {
    const char* library;
    const char* mode;
    cubind::EntryPoints entries;
    cubind::EntryPoint* (*entry_point_of)(void (*wrapper)());
    std::vector<Function> functions;
};

}  // namespace cubind::testing
