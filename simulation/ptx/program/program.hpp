// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ptx/program/instruction.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Limit of the registers of all calls of a warp: 256 KiB for each thread.
inline constexpr std::size_t max_register_bytes = std::size_t{256} * 1024 * warp_size;

/// Memory whose begin is aligned for vectors.
class AlignedBytes {
public:
    AlignedBytes() = default;
    explicit AlignedBytes(std::size_t size) : size_(size), bytes_(allocate(size)) {}

    std::byte* data() noexcept { return bytes_.get(); }
    const std::byte* data() const noexcept { return bytes_.get(); }
    std::size_t size() const noexcept { return size_; }

private:
    struct Free {
        void operator()(std::byte* bytes) const noexcept { ::operator delete (bytes, std::align_val_t{64}); }
    };
    static std::byte* allocate(std::size_t size) {
        return static_cast<std::byte*>(::operator new (size != 0 ? size : 1, std::align_val_t{64}));
    }

    std::size_t size_ = 0;
    std::unique_ptr<std::byte, Free> bytes_;
};

/// A range of bytes that a call copies between the local memory of the caller and that of the callee.
struct ArgumentCopy {
    std::uint32_t caller = 0;  ///< offset in the caller's frame of local memory
    std::uint32_t callee = 0;
    std::uint32_t size = 0;
};

/// A call in the code of a function: Instruction::data.
struct CallSite {
    const Program* callee = nullptr;  ///< null for a call through a pointer
    std::vector<ArgumentCopy> arguments;
    std::vector<ArgumentCopy> results;
};

/// The position of an instruction in the texts.
struct SourcePosition {
    int line = 0;                   ///< line of the PTX
    std::uint32_t file = 0;         ///< number of the source file; 0 if the text does not have it
    std::uint32_t source_line = 0;  ///< line of the source file
};

/// A decoded function. Immutable while it runs.
struct Program {
    std::string name;
    std::vector<Instruction> code;
    std::vector<SourcePosition> positions;  ///< of each instruction
    AlignedBytes constants;
    std::size_t frame_bytes = 0;      ///< registers of a call
    std::size_t local_bytes = 0;      ///< local memory of each thread in a call, with parameters and results
    std::size_t parameter_begin = 0;  ///< offset of the parameters in the local memory; results are at its begin
    std::size_t shared_bytes = 0;     ///< static shared memory
    bool has_effect = true;           ///< whether it does more than return
    bool has_calls = false;           ///< whether the local memory of callees follows
    std::vector<std::unique_ptr<CallSite>> calls;
    std::vector<std::unique_ptr<std::vector<const Instruction*>>> branch_targets;
    std::vector<std::unique_ptr<std::string>> problems;  ///< why an instruction cannot run

    const SourcePosition& position(const Instruction* instruction) const {
        return positions[static_cast<std::size_t>(instruction - code.data())];
    }
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
