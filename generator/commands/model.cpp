// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "commands/commands.hpp"
#include "emit/model_text.hpp"
#include "model/build.hpp"

namespace cubind::gen::commands {

int model(const Folders& folders, const std::string& library) {
    select_libraries(folders, {library});
    const model::Model model = model::build(folders.specs, library);
    model::require_decided(model);
    std::cout << emit::model_text(model, emit::Templates(folders.templates));
    return 0;
}

}  // namespace cubind::gen::commands
