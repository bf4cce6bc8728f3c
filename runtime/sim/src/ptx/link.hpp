// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::sim::ptx {

/// A module to link: PTX that read() accepts.
struct LinkInput {
    std::string name;  ///< for messages
    std::string text;
};

/// The result of a link: PTX, or the reasons why the link failed, one in each line.
struct LinkResult {
    std::string problem;
    std::string text;
};

/// Joins modules to one, as a linker of machine code does: symbols that several modules have are those of the module, and names
/// without linkage stay different. Fails for symbols that are used but not defined, or defined more than once. Drops debug
/// sections; lines of the source stay.
LinkResult link(const std::vector<LinkInput>& inputs);

}  // namespace CUBIND_NAMESPACE::sim::ptx
