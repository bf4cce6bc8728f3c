// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "commands/commands.hpp"
#include "commands/merge_release.hpp"

namespace cubind::gen::commands {

int extract(const Folders& folders, const std::vector<std::string>& wanted, const std::vector<fs::path>& includes) {
    const MergedRelease merged_release = merge_release(folders, {wanted, false}, includes);
    emit::FileBatch batch;
    stage_specs(folders, merged_release, batch);
    batch.commit();
    for (const auto& each : merged_release.libraries) {
        const spec::Facts& facts = each.fresh;
        std::cout << each.config.library << ": " << each.config.with_product(each.release()) << ", " << facts.functions.size()
                  << " functions, "
                  << facts.enums.size() + facts.records.size() + facts.opaque_records.size() + facts.handles.size() +
                         facts.aliases.size() + facts.callbacks.size()
                  << " types, " << facts.constants.size() << " constants; " << each.merged.releases.size()
                  << (each.merged.releases.size() == 1 ? " release" : " releases") << " in the spec\n";
    }
    return 0;
}

}  // namespace cubind::gen::commands
