// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/timeline.hpp"

namespace cubind::gen::spec {

/// Sets since and removed of each field of the record, in its current and former bodies, from the releases whose record has the
/// field. A field is identified by its path. Anonymous structs and unions are not part of the path, so a field that moves into
/// one stays the same field.
void set_field_lifetimes(const Timeline<RecordBody>& timeline, const Sources& sources, Record& record);

}  // namespace cubind::gen::spec
