// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shared/tiles.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace CUBIND_NAMESPACE::sim {

std::byte* TileTable::find(std::size_t number) const noexcept {
    const auto found = std::ranges::lower_bound(tiles_, number, {}, &Tile::number);
    return found != tiles_.end() && found->number == number ? found->memory.get() : nullptr;
}

std::shared_ptr<const TileTable> TileTable::with(const std::vector<Tile>& changes) const {
    auto changed = std::make_shared<TileTable>();
    changed->tiles_.reserve(tiles_.size() + changes.size());
    // Of two tiles with one number, the union has the first.
    std::ranges::set_union(changes, tiles_, std::back_inserter(changed->tiles_), std::ranges::less(), &Tile::number,
                           &Tile::number);
    std::erase_if(changed->tiles_, [](const Tile& tile) { return tile.memory == nullptr; });
    return changed;
}

}  // namespace CUBIND_NAMESPACE::sim
