// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cubind::gen::emit {

/// Returns a string literal of C++ on one line, which may hold any bytes.
std::string quoted_literal(std::string_view text);

/// Returns a string literal that keeps the lines of a text readable: a raw string. Ends of lines become "\n".
std::string raw_literal(std::string_view text);

/// Returns a string literal of bytes, on several lines.
std::string bytes_literal(std::string_view bytes);

}  // namespace cubind::gen::emit
