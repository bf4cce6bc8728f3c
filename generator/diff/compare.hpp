// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"
#include "spec/json.hpp"

/// What changed between two releases of a library, as JSON: docs/specs.md says what stands where. Both facts are snapshots.
namespace cubind::gen::diff {

/// All that changed.
spec::Json compare(const spec::Facts& before, const spec::Facts& after);

/// The names that programmers write and that mean another symbol, or nothing, or did not before. A name that comes or goes with the
/// function behind it is left to compare_functions.
spec::Json compare_public_names(const spec::Facts& before, const spec::Facts& after);
/// ABI symbols: added, removed, and those whose return or parameter types changed in place.
spec::Json compare_functions(const spec::Facts& before, const spec::Facts& after);
/// Documentation groups that have functions in one release only.
spec::Json compare_groups(const spec::Facts& before, const spec::Facts& after);

/// Enums, records, handles, aliases and callbacks: added, removed, and changed in what they name. Fields of records are left to
/// compare_records, enumerators to compare_enumerators.
spec::Json compare_types(const spec::Facts& before, const spec::Facts& after);
/// Records of both releases whose size, alignment or fields differ.
spec::Json compare_records(const spec::Facts& before, const spec::Facts& after);
spec::Json compare_enumerators(const spec::Facts& before, const spec::Facts& after);
spec::Json compare_constants(const spec::Facts& before, const spec::Facts& after);

}  // namespace cubind::gen::diff
