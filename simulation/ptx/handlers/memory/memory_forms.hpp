// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"

// Rows of loads and stores for all types. A vector has 128 bits at most.
#define CUBIND_MEMORY_ROWS(opcode, modifiers, operands, select, isa, target)                                                 \
    {opcode, modifiers " [.v2|.v4] .b32|.u32|.s32|.f32", operands, select, Flow::none, isa, target},                         \
        {opcode, modifiers " [.v2] .b64|.u64|.s64|.f64", operands, select, Flow::none, isa, target},                         \
        {opcode, modifiers " [.v2|.v4|.v8] .b8|.u8|.s8|.b16|.u16|.s16", operands, select, Flow::none, isa, target}, {        \
        opcode, modifiers " .b128", operands, select, Flow::none, (isa) > 8030 ? (isa) : 8030, (target) > 70 ? (target) : 70 \
    }

#define CUBIND_L1_PRIORITIES ".L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate"
#define CUBIND_L2_PRIORITIES ".L2::evict_normal|.L2::evict_first|.L2::evict_last"
#define CUBIND_L2_PREFETCH ".L2::64B|.L2::128B|.L2::256B"

// Rows of loads and stores of 256 bits.
#define CUBIND_WIDE_MEMORY_ROWS(opcode, modifiers, operands, select)                                                        \
    {opcode, modifiers " .v8 .b32|.u32|.s32|.f32", operands, select, Flow::none, 8080, 100},                                \
        {opcode, modifiers " .v4 .b64|.u64|.s64|.f64", operands, select, Flow::none, 8080, 100},                            \
        {opcode,     modifiers " [" CUBIND_L1_PRIORITIES "] " CUBIND_L2_PRIORITIES " .v8 .b32|.u32|.s32|.f32",              \
         operands,   select,                                                                                                \
         Flow::none, 8080,                                                                                                  \
         100},                                                                                                              \
    {                                                                                                                       \
        opcode, modifiers " [" CUBIND_L1_PRIORITIES "] " CUBIND_L2_PRIORITIES " .v4 .b64|.u64|.s64|.f64", operands, select, \
            Flow::none, 8080, 100                                                                                           \
    }
