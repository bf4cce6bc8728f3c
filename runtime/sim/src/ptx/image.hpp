// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <cubind/sim/kernel_body.hpp>

/// PTX, as far as a driver's API shows what is in it.
namespace cubind::sim::ptx {

/// A kernel. Numbers that the text leaves open are 0.
struct Kernel {
    std::string name;
    std::vector<detail::ParameterPlace> parameters;
    std::size_t parameter_bytes = 0;
    std::size_t shared_bytes = 0;  ///< static shared memory
    std::size_t local_bytes = 0;   ///< of each thread, as far as declared
    Dim3 block{0, 0, 0};           ///< .maxntid or .reqntid
    bool is_block_required = false;
    unsigned max_registers = 0;
    Dim3 cluster{0, 0, 0};         ///< .reqnctapercluster
    bool must_have_cluster = false;
    unsigned max_cluster_blocks = 0;

    unsigned max_threads() const noexcept { return block.x * block.y * block.z; }
};

/// An address that an initialiser names.
struct Relocation {
    std::size_t offset;  ///< in the variable
    std::string symbol;
    std::int64_t addend;
};

enum class Space { global, constant };

/// A variable of the module.
struct Variable {
    std::string name;
    Space space = Space::global;
    std::size_t size = 0;
    std::size_t alignment = 1;
    bool is_managed = false;
    bool is_extern = false;
    std::vector<std::byte> initial;  ///< its first bytes; the others are zero
    std::vector<Relocation> relocations;
};

struct Image {
    int version = 0;  ///< of the instruction set: 1000 * major + 10 * minor
    int target = 0;   ///< 10 * major + minor of the compute capability
    char variant = 0; ///< 'a': that capability only; 'f': its family; 0: it and later ones
    std::vector<Kernel> kernels;
    std::vector<Variable> variables;
};

}  // namespace cubind::sim::ptx
