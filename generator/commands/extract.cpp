// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "commands/gather.hpp"

#include <iostream>

namespace cubind::gen::commands {

int extract(const Folders& folders, const std::vector<std::string>& wanted, const std::vector<fs::path>& includes) {
    const Gathering gathering = gather(folders, {wanted, false}, includes);
    emit::FileBatch batch;
    stage_specs(folders, gathering, batch);
    batch.commit();
    for (const auto& each : gathering.libraries) {
        const spec::Facts& facts = each.fresh;
        std::cout << each.config.library << ": CUDA " << each.release() << ", " << facts.functions.size() << " functions, "
                  << facts.enums.size() + facts.records.size() + facts.handles.size() + facts.aliases.size() + facts.callbacks.size()
                  << " types, " << facts.constants.size() << " constants; " << each.merged.releases.size()
                  << (each.merged.releases.size() == 1 ? " release" : " releases") << " in the spec\n";
    }
    return 0;
}

}  // namespace cubind::gen::commands
