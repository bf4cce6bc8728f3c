// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/json.hpp"

namespace cubind::gen::diff {

/// A diff sorted for readers: for each library what breaks, then what is new, with a flag for each part that is there. The data of
/// the templates changes.md and changes.txt.
spec::Json page(const spec::Json& diff);

}  // namespace cubind::gen::diff
