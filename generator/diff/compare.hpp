// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"
#include "spec/json.hpp"

/// The changes between two releases of a library, as JSON in the form that docs/specs.md describes. All
/// arguments are results of spec::snapshot(): the facts of one release.
namespace cubind::gen::diff {

/// Returns all changes.
spec::Json compare(const spec::Facts& before, const spec::Facts& after);

/// Returns the public names that refer to another symbol, that no longer refer to one, or that are new. A name that is added or
/// removed together with its function is reported by compare_functions only.
spec::Json compare_public_names(const spec::Facts& before, const spec::Facts& after);
/// Returns the ABI symbols that were added, removed, or whose return or parameter types changed in place.
spec::Json compare_functions(const spec::Facts& before, const spec::Facts& after);
/// Returns the documentation groups that have functions in one release only.
spec::Json compare_groups(const spec::Facts& before, const spec::Facts& after);

/// Returns the enums, records, opaque records, handles, aliases and callbacks that were added, removed, or that name another
/// type. Fields are reported by compare_records, enumerators by compare_enumerators.
spec::Json compare_types(const spec::Facts& before, const spec::Facts& after);
/// Returns the records of both releases whose size, alignment or fields differ.
spec::Json compare_records(const spec::Facts& before, const spec::Facts& after);
spec::Json compare_enumerators(const spec::Facts& before, const spec::Facts& after);
spec::Json compare_constants(const spec::Facts& before, const spec::Facts& after);
/// Returns the exported variables that were added, removed, or whose type differs.
spec::Json compare_variables(const spec::Facts& before, const spec::Facts& after);

}  // namespace cubind::gen::diff
