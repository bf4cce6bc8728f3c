// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/timeline.hpp"

namespace cubind::gen::spec {

/// Sets since and removed of each field of the record, in its present and former bodies, from the releases whose record has it. A field
/// is told by its path, in which anonymous structs and unions do not count: moved into one it is still the same.
void note_field_lives(const Timeline<RecordBody>& timeline, const Sources& sources, Record& record);

}  // namespace cubind::gen::spec
