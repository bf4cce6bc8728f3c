// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/fidelity.hpp>

#include <span>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::sim::ptx {

/// Instructions whose results are known to differ from those of a GPU, and the reason.
struct KnownDifference {
    std::string_view begin;     ///< of the texts of the instructions
    std::string_view parts[3];  ///< the texts have all of these; empty ones do not count
    std::string_view reason;
};

std::span<const KnownDifference> known_differences() noexcept;

/// The class of an instruction.
struct Classification {
    Fidelity fidelity = Fidelity::rule;
    std::string reason;
};

/// Classifies an instruction by its text, see instruction_text(). A known difference precedes a comparison, because the compared
/// results may not depend on it.
Classification classify(std::string_view instruction);

}  // namespace CUBIND_NAMESPACE::sim::ptx
