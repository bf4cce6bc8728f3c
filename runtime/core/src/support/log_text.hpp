// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::detail {

/// A compiler's or linker's log without the NULs and ends of lines behind it.
std::string trimmed(std::string log);

/// Its first line that speaks of an error, else its first line.
std::string first_error(const std::string& log);

}  // namespace cubind::detail
