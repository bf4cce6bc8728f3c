// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/graphics.hpp>
#include <cubind/interop/graphics_mapping.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "calls/driver.hpp"
#include "graphics_resource_state.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {

/// Mapped resources, and the stream in whose order they are unmapped. Does not unmap them.
class MappedResources {
public:
    MappedResources(StreamRef stream, std::span<const GraphicsResourceRef> resources)
        : stream_(stream), user_(StreamAccess::state(stream)) {
        if (resources.empty()) throw_misuse("GraphicsMapping: there are no resources to map");
        marked_.reserve(resources.size());
        for (const GraphicsResourceRef each : resources) {
            handles_.push_back(each.native_handle());
            retained_.push_back(share(each));
        }
        try {
            for (const GraphicsResourceRef each : resources) mark(each);
            map();
        } catch (...) {
            remove_marks();
            throw;
        }
    }
    MappedResources(const MappedResources&) = delete;
    MappedResources& operator=(const MappedResources&) = delete;
    ~MappedResources() { remove_marks(); }

    std::size_t count() const noexcept { return handles_.size(); }
    StreamRef stream() const noexcept { return stream_; }
    driver::CUgraphicsResource at(std::size_t index) const {
        if (index >= handles_.size()) {
            throw_misuse("GraphicsMapping: resource ", index, " was requested, and ", handles_.size(),
                         " resources are mapped, numbered from 0");
        }
        return handles_[index];
    }

    void unmap(StreamRef stream) {
        // The driver has released the resources of a context that has ended, and must not get their handles.
        if (std::ranges::any_of(marked_, [](const GraphicsResourceState* each) { return each->has_context_ended(); })) return;
        const StreamScope scope(stream);
        check(
            driver::cuGraphicsUnmapResources(static_cast<unsigned int>(count()), handles_.data(), StreamAccess::handle(stream)));
    }

private:
    void mark(GraphicsResourceRef resource) {
        GraphicsResourceState* const state = GraphicsResourceState::of(resource);
        if (state == nullptr) return;  // the driver checks
        if (state->is_mapped.exchange(true)) {
            throw_misuse("GraphicsMapping: a resource is mapped already, or occurs twice in the list: unmap it first");
        }
        marked_.push_back(state);
    }
    void remove_marks() noexcept {
        for (GraphicsResourceState* const each : marked_) each->is_mapped.store(false);
        marked_.clear();
    }
    void map() {
        const StreamScope scope(stream_);
        const auto mapped =
            driver::cuGraphicsMapResources(static_cast<unsigned int>(count()), handles_.data(), StreamAccess::handle(stream_));
        if (mapped.ok()) return;
        const std::string advice = advice_on_context(mapped.status, stream_);
        throw_with_advice(mapped, advice.empty()
                                      ? concat("The call was for ", count(),
                                               " resources. The calling thread needs a current OpenGL context that has the "
                                               "objects, and none of them may be mapped.")
                                      : advice);
    }

    StreamRef stream_;
    StreamUser user_;
    std::vector<driver::CUgraphicsResource> handles_;
    std::vector<std::shared_ptr<const void>> retained_;
    std::vector<GraphicsResourceState*> marked_;  // retained
};

}  // namespace detail

GraphicsMapping::GraphicsMapping(StreamRef stream, std::span<const GraphicsResourceRef> resources)
    : resources_(std::make_unique<detail::MappedResources>(stream, resources)) {}

GraphicsMapping::GraphicsMapping(StreamRef stream, std::initializer_list<GraphicsResourceRef> resources)
    : GraphicsMapping(stream, std::span<const GraphicsResourceRef>(resources.begin(), resources.size())) {}

GraphicsMapping::GraphicsMapping(GraphicsMapping&& other) noexcept = default;

GraphicsMapping& GraphicsMapping::operator=(GraphicsMapping&& other) noexcept {
    GraphicsMapping moved(std::move(other));
    std::swap(resources_, moved.resources_);
    return *this;
}

GraphicsMapping::~GraphicsMapping() {
    try {
        unmap();
    } catch (...) {
        detail::report_exception_unless_released("unmap graphics resources");
    }
}

std::size_t GraphicsMapping::count() const {
    return resources().count();
}

Buffer GraphicsMapping::buffer(std::size_t index) const {
    const driver::CUgraphicsResource resource = resources().at(index);
    const detail::StreamScope scope(resources().stream());
    const auto mapped = driver::cuGraphicsResourceGetMappedPointer(resource);
    if (!mapped.ok()) {
        detail::throw_with_advice({mapped.status},
                                  detail::concat("Resource ", index, " must be a buffer; use array() for an image."));
    }
    return Buffer::view_of(mapped.value1, mapped.value2);
}

ArrayRef GraphicsMapping::array(std::size_t index, unsigned int layer, unsigned int level) const {
    const driver::CUgraphicsResource resource = resources().at(index);
    const detail::StreamScope scope(resources().stream());
    const auto mapped = driver::cuGraphicsSubResourceGetMappedArray(resource, layer, level);
    if (!mapped.ok()) {
        detail::throw_with_advice({mapped.status},
                                  detail::concat("Layer ", layer, " and level ", level, " of resource ", index,
                                                 " were requested. It must be an image that has them; use buffer() for a "
                                                 "buffer."));
    }
    return mapped.value;
}

MipmappedArrayRef GraphicsMapping::mipmapped_array(std::size_t index) const {
    const driver::CUgraphicsResource resource = resources().at(index);
    const detail::StreamScope scope(resources().stream());
    const auto mapped = driver::cuGraphicsResourceGetMappedMipmappedArray(resource);
    if (!mapped.ok()) {
        detail::throw_with_advice({mapped.status},
                                  detail::concat("Resource ", index, " must be an image; use buffer() for a buffer."));
    }
    return mapped.value;
}

void GraphicsMapping::unmap() {
    if (resources_ != nullptr) unmap(resources_->stream());
}

void GraphicsMapping::unmap(StreamRef stream) {
    (void)detail::StreamAccess::handle(stream);  // a stream that was moved from leaves the mapping to the destructor
    const std::unique_ptr<detail::MappedResources> unmapped = std::move(resources_);
    if (unmapped != nullptr) unmapped->unmap(stream);
}

const detail::MappedResources& GraphicsMapping::resources() const {
    if (resources_ == nullptr) [[unlikely]]
        detail::throw_moved_from("GraphicsMapping");
    return *resources_;
}

}  // namespace CUBIND_NAMESPACE
