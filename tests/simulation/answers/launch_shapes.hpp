// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace answers {

/// The grid, the blocks and the bytes of shared memory of a launch.
struct LaunchShape {
    std::array<unsigned, 3> grid;
    std::array<unsigned, 3> block;
    std::size_t shared = 0;

    std::string name() const {
        std::string text = "grid";
        for (const unsigned n : grid) text += ' ' + std::to_string(n);
        text += " block";
        for (const unsigned n : block) text += ' ' + std::to_string(n);
        return text + " shared " + std::to_string(shared);
    }
};

/// Shapes at the limits of devices, and beyond them.
inline constexpr LaunchShape launch_shapes[] = {{{1, 1, 1}, {1, 1, 1}},
                                                {{0, 1, 1}, {1, 1, 1}},
                                                {{1, 0, 1}, {1, 1, 1}},
                                                {{1, 1, 1}, {0, 1, 1}},
                                                {{1, 1, 1}, {1024, 1, 1}},
                                                {{1, 1, 1}, {1025, 1, 1}},
                                                {{1, 1, 1}, {32, 32, 1}},
                                                {{1, 1, 1}, {32, 32, 2}},
                                                {{1, 1, 1}, {1, 1, 64}},
                                                {{1, 1, 1}, {1, 1, 65}},
                                                {{1, 65535, 1}, {1, 1, 1}},
                                                {{1, 65536, 1}, {1, 1, 1}},
                                                {{1, 1, 65536}, {1, 1, 1}},
                                                {{65536, 1, 1}, {1, 1, 1}},
                                                {{0x80000000, 1, 1}, {1, 1, 1}},
                                                {{1, 1, 1}, {1, 1, 1}, 48 << 10},
                                                {{1, 1, 1}, {1, 1, 1}, (48 << 10) + 1},
                                                {{1, 1, 1}, {1, 1, 1}, 1 << 20}};

}  // namespace answers
