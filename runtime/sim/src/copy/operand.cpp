// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "copy/operand.hpp"

#include "machine/machine.hpp"
#include "memory/address_space.hpp"

namespace cubind::sim {

CUresult find_operand(Side side, std::uintptr_t address, std::size_t bytes, Operand& operand) {
    operand.data = reinterpret_cast<std::byte*>(address);
    operand.allocation = machine().memory.find(address);
    if (operand.allocation == nullptr) {
        const bool is_trusted = side != Side::device && address != 0 && !AddressSpace::instance().contains(address);
        return is_trusted ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    return operand.allocation->contains(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace cubind::sim
