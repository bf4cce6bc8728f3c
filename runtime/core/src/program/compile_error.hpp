// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>

#include "program/compile_job.hpp"

namespace cubind::detail {

/// The error for a compile that failed: what was compiled for what, the first error, what can be done, then the log.
CompileError compile_error(const Error& failure, const CompileJob& job, const std::string& log);

}  // namespace cubind::detail
