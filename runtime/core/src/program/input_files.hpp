// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program_cache_key.hpp>

#include <string>
#include <vector>

#include "program/compile_job.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Adds to the key the path and the content of each file that the compilation of C++ may read. `toolkit` are the folders of the
/// toolkit's headers. Returns why the result may depend on other inputs, too, or an empty string. Files are read again only
/// after they have changed.
[[nodiscard]] std::string add_input_files(CacheKeyBuilder& parts, const CompileJob& job, const std::vector<std::string>& toolkit);

}  // namespace CUBIND_NAMESPACE::detail
