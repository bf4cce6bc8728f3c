// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace cubind::prof {

/// The outputs of a run.
struct Written {
    std::vector<std::string> files;
    std::vector<std::string> problems;  ///< why files or records could not be written or read
    std::string summary;                ///< tables over all processes, and sentences about what is missing
    bool has_records = false;           ///< whether a process has used CUDA
};

/// Reads the records of all processes, writes the files of each, and makes the tables over all of them.
Written write_outputs(const std::string& spool_folder, const Options& options);

}  // namespace cubind::prof
