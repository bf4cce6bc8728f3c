// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::model {

/// Returns whether the word is a keyword of C++20.
bool is_keyword(const std::string& word);

}  // namespace cubind::gen::model
