// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/json.hpp"

namespace cubind::gen::diff {

/// Returns the data of the templates changes.md and changes.txt: a diff with the breaking changes of each library before its
/// additions, and a flag for each section that is not empty.
spec::Json page(const spec::Json& diff);

}  // namespace cubind::gen::diff
