// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

#include <cstddef>
#include <vector>

#include <cubind/entry_points.hpp>

namespace cubind::testing {

struct RecordedCall;
class LeftOut;

/// What of a record's bytes is not simply a value that starts from zero.
struct Layout {
    struct Padding {
        std::size_t offset, size;
    };
    struct Start {
        std::size_t offset;
        unsigned int value;
    };
    Padding padding[8];  ///< up to the first without a size
    Start starts[8];     ///< up to the first without a value
};

/// A type, as far as bytes of it go.
struct Type {
    std::size_t size;
    std::size_t alignment;
    const Layout* layout;
};

struct Types {
    const Type* types;
    std::size_t count;

    const Type& operator[](std::size_t index) const { return types[index]; }
};

/// A C function's signature and that of its wrapper, and how they are called with bytes.
struct Signature {
    Type returned;     ///< by the C function; of size 0 for void
    Types parameters;  ///< of the C function
    Types arguments;   ///< of the wrapper
    Types values;      ///< that the wrapper gives back, after the status
    bool returns_status;
    void (*call)(void (*wrapper)(), RecordedCall& call);
};

/// What may be special about a function.
struct Special {
    void (*left_out)(LeftOut& values) = nullptr;  ///< adds the values of the last arguments, which are not passed
    /// Bits that this parameter of the C function gets in addition unless it has any of others.
    std::size_t adapted = 0;
    unsigned long long unless = 0;
    unsigned long long set = 0;
};

/// A C++ name and what api-specs/ says that it calls.
struct Function {
    const char* group;
    const char* name;
    const char* symbol;
    const char* roles;           ///< for each C parameter p: passed on, o: an out value, b: a value that goes both in and out
    const char* parameters;      ///< names of the C parameters
    const Signature* signature;  ///< null if the name should mean the same wrapper as in the first mode
    void* callee;                ///< a C function of that signature that records its call
    void (*wrapper)();           ///< null if it has another type than that
    const char* actual_type;     ///< what names it then
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
