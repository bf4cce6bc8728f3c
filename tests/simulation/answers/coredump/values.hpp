// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "machine.hpp"
#include "question.hpp"

namespace answers {

/// Each function asks one group of questions. It runs in a separate process, before any other driver call.
void ask_about_global_settings();
void ask_about_global_mistakes();
void ask_about_triggers();
void ask_about_settings_of_contexts();
void ask_about_flags_of_contexts();
void ask_about_mistakes_in_contexts();
void ask_about_callbacks();

/// Reports all attributes of the global settings, or of the current context. `when` tells the reports apart.
void report_all(const char* when, bool is_global);

/// Returns the name of the process's pipe. It has always the same length, which drivers return.
std::string pipe_name();

/// Returns the text with HOST and PID in place of the names of the host and the process.
std::string without_names(std::string text);

/// The calls, with arguments that are not const in the API.
cubind::Result<CUresult, size_t> set_global(CUcoredumpSettings attribute, bool value);
cubind::Result<CUresult, size_t> set_global(CUcoredumpSettings attribute, const char* text);
cubind::Result<CUresult, size_t> set_global_flags(int flags);
cubind::Result<CUresult, size_t> set(CUcoredumpSettings attribute, bool value);
cubind::Result<CUresult, size_t> set(CUcoredumpSettings attribute, const char* text);
cubind::Result<CUresult, size_t> set_flags(int flags);

}  // namespace answers
