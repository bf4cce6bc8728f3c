// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/json.hpp"

namespace cubind::gen::diff {

/// Sorts a diff for readers: for each library the breaking changes, then the additions, with a flag for each section that is not
/// empty. The result is the data of the templates changes.md and changes.txt.
spec::Json page(const spec::Json& diff);

}  // namespace cubind::gen::diff
