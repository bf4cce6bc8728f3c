// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cubind::gen::model {

struct Model;

/// Something that only a person can decide, and that the hand-written files do not decide yet.
struct Question {
    enum class Kind {
        judgement,    ///< what does `parameter` of the function `subject` point to?
        membership,   ///< which documentation group does the function `subject` belong to?
        group,        ///< into which generated file does the group `subject` go?
        description,  ///< what does the status `subject` mean, in a sentence?
    };
    Kind kind;
    std::string subject;
    std::string parameter;
    std::string type;      ///< of the parameter, in C
    std::string proposal;  ///< what names and types suggest; never used without a person having put it into a file
};

/// Gives the vendor's own words on a function or enumerator: for a terminal only.
using Wording = std::function<std::vector<std::string>(const std::string& subject)>;

/// The open questions of a library, each with the line that would answer it, by file and key. Empty if there are none.
std::string questions_text(const Model& model, const Wording& wording = nullptr);

/// Throws InputError with questions_text if anything is undecided.
void require_decided(const Model& model);

}  // namespace cubind::gen::model
