// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/variable_collector.hpp"

#include <algorithm>

#include "error.hpp"
#include "kernels/comment.hpp"
#include "kernels/host_names.hpp"
#include "kernels/prelude.hpp"

namespace cubind::gen::kernels {
namespace {

Space space_of(const clang::Cursor& variable) {
    const std::vector<std::string> texts = variable.annotations();
    const auto has = [&](const char* text) { return std::find(texts.begin(), texts.end(), text) != texts.end(); };
    if (has(constant_annotation)) return Space::constant;
    return has(managed_annotation) ? Space::managed : Space::device;
}

}  // namespace

void collect_variables(KernelFile& result, HostTypes& types, const UserFiles& files, const Declarations& declarations) {
    for (const auto& cursor : declarations.variables()) {
        const std::string place = files.place(cursor.place()) + ": the variable '" + cursor.spelling() + "'";
        Variable variable;
        variable.namespaces = namespaces_of(cursor);
        variable.name = legal_name(cursor.spelling());
        variable.space = space_of(cursor);
        variable.type = types.text(cursor.type(), place, true);
        variable.size = cursor.type().size();
        variable.comment = comment_above(files.text(cursor.file()), cursor.start_line());
        if (!cursor.has_internal_linkage()) variable.symbol = cursor.mangled_name();
        if (variable.space != Space::managed) {
            variable.name_expression = "&" + qualified_name(cursor);
        } else if (variable.symbol.empty()) {
            throw InputError(place +
                             " is managed and static, so that no other program can find it; remove static or the unnamed "
                             "namespace around it");
        }
        result.variables.push_back(std::move(variable));
    }
}

}  // namespace cubind::gen::kernels
