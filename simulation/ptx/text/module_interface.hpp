// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/kernel_body.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// The parts of PTX that are visible in the driver's API.
namespace CUBIND_NAMESPACE::sim::ptx {

struct Code;

/// Limit of the bytes of a kernel's parameters.
inline constexpr std::size_t max_parameter_bytes = 32764;

/// A kernel. Limits that the text does not set are 0.
struct Kernel {
    std::string name;
    std::vector<detail::ParameterLayout> parameters;
    std::size_t parameter_bytes = 0;
    std::size_t shared_bytes = 0;  ///< bytes of static shared memory
    std::size_t local_bytes = 0;   ///< bytes of declared local memory of each thread
    Extent3 block{0, 0, 0};        ///< .maxntid or .reqntid
    bool is_block_required = false;
    unsigned max_registers = 0;
    unsigned registers = 0;    ///< registers of each thread in machine code; 0 in PTX, which does not state them
    Extent3 cluster{0, 0, 0};  ///< .reqnctapercluster
    bool must_have_cluster = false;
    unsigned max_cluster_blocks = 0;

    unsigned max_threads() const noexcept { return block.x * block.y * block.z; }
};

/// An address in an initializer.
struct Relocation {
    std::size_t offset;  ///< position in the variable, in bytes
    std::string symbol;
    std::int64_t addend;
    int line = 0;
};

/// The state space of a variable.
enum class Space { global, constant };

/// A variable of the module.
struct Variable {
    std::string name;
    Space space = Space::global;
    std::size_t size = 0;
    std::size_t alignment = 1;
    bool is_managed = false;
    bool is_extern = false;
    std::vector<std::byte> initial;  ///< first bytes; all others are zero
    std::vector<Relocation> relocations;
    int line = 0;
};

/// A module of PTX or of machine code.
struct ModuleInterface {
    int version = 0;  ///< version of PTX: 1000 * major + 10 * minor; 0 for machine code
    int target = 0;   ///< compute capability of the PTX, also of that from which machine code was compiled: 10 * major + minor
    int machine_target = 0;  ///< compute capability of machine code; 0 for PTX
    char variant = 0;        ///< 'a' for this capability only, 'f' for its family, 0 for this and later capabilities
    std::vector<Kernel> kernels;
    std::vector<Variable> variables;
    std::shared_ptr<const Code> code;  ///< null for machine code, which cannot run

    bool is_machine_code() const noexcept { return machine_target != 0; }
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
