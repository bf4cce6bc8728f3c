// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

class Function;
class Library;
class Module;
struct LibraryKernel;

/// The loaded code of a machine.
struct CodeRegistry {
    Registry<CUmodule, Module> modules;
    Registry<CUfunction, Function> functions;
    Registry<CUlibrary, Library> libraries;
    Registry<CUkernel, LibraryKernel> kernels;
};

}  // namespace CUBIND_NAMESPACE::sim
