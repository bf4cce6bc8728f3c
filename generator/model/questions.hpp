// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cubind::gen::model {

struct Model;

/// A decision that only a person can make and that the hand-written files do not contain.
struct Question {
    enum class Kind {
        annotation,   ///< what does `parameter` of the function `subject` point to?
        membership,   ///< which documentation group does the function `subject` belong to?
        group,        ///< which generated file declares the functions of the group `subject`?
        description,  ///< what does the status `subject` mean, in one sentence?
    };
    Kind kind;
    std::string subject;
    std::string parameter;
    std::string declaration;  ///< declaration of the parameter in C
    std::string proposal;     ///< suggested by names and types; only printed, and used after a person adds it to a file
};

/// Returns the lines of the vendor's documentation of a function or enumerator, for a terminal only.
using Wording = std::function<std::vector<std::string>(const std::string& subject)>;

/// Returns the open questions of a library, sorted by file and key, each with a line that answers it. Empty if there are none.
std::string questions_text(const Model& model, const Wording& wording = nullptr);

/// Throws InputError with questions_text if a question is open.
void require_decided(const Model& model);

}  // namespace cubind::gen::model
