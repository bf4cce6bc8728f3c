// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "clang/translation_unit.hpp"
#include "kernels/read_kernel_file.hpp"
#include "kernels/user_files.hpp"

/// Decides which errors of the compiler matter. Those in CUDA's headers and in functions are left to NVRTC, because clang is no
/// CUDA compiler.
namespace cubind::gen::kernels {

/// Throws InputError if the parser ended early, such as at a missing header, or if an instance is wrong. Lines of the .cu file
/// after `lines` are those of the instances.
void check_parsed(const clang::TranslationUnit& unit, const UserFiles& files, const ReadOptions& options, unsigned lines);

/// Throws InputError if an error is in the declaration of a kernel or variable or at no declaration at all.
void check_declarations(const clang::TranslationUnit& unit, const UserFiles& files);

/// Throws InputError if an error is in one of these classes, which are given by their USR.
void check_classes(const clang::TranslationUnit& unit, const UserFiles& files, const std::set<std::string>& used);

}  // namespace cubind::gen::kernels
