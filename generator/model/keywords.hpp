// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::model {

/// Whether C++20 keeps the word for itself, so that nothing can be called so.
bool is_keyword(const std::string& word);

}  // namespace cubind::gen::model
