// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

class Function;
class Library;
class Module;
struct LibraryKernel;

/// The loaded code of a machine.
struct CodeRegistry {
    Registry<driver::CUmodule, Module> modules;
    Registry<driver::CUfunction, Function> functions;
    Registry<driver::CUlibrary, Library> libraries;
    Registry<driver::CUkernel, LibraryKernel> kernels;
};

}  // namespace CUBIND_NAMESPACE::sim
