// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/array/array.hpp>
#include <cubind/core/array/mipmapped_array.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>

namespace CUBIND_NAMESPACE {

class GraphicsResourceRef;

namespace detail {
class MappedResources;
}

/// Maps resources of a graphics interface while the object exists (cuGraphicsMapResources, cuGraphicsUnmapResources). Work that
/// is submitted to the stream after the constructor sees what the graphics interface has done before it, and the graphics
/// interface, once the resources are unmapped, sees what the work has written. In between, only CUDA may use them.
///
/// The object retains the registrations and the Stream. A stream that cubind does not own must outlive it. Movable, not copyable.
/// It must be used and destroyed by a thread whose current OpenGL context has the objects.
class [[nodiscard]] CUBIND_EXPORT GraphicsMapping {
public:
    /// Creates an empty object.
    GraphicsMapping() noexcept = default;
    /// Maps the resources in one call. Throws std::invalid_argument for an empty list and for a resource that is mapped already
    /// or occurs twice, and Error if the driver refuses the call. Nothing is mapped after an exception.
    [[nodiscard]] GraphicsMapping(StreamRef stream, std::span<const GraphicsResourceRef> resources);
    /// Maps the resources, like the other constructor: GraphicsMapping(stream, {first, second}).
    [[nodiscard]] GraphicsMapping(StreamRef stream, std::initializer_list<GraphicsResourceRef> resources);

    /// Moves the mapping; `other` is empty afterwards.
    GraphicsMapping(GraphicsMapping&& other) noexcept;
    /// Unmaps the resources as the destructor does, and moves the other mapping into this object.
    GraphicsMapping& operator=(GraphicsMapping&& other) noexcept;
    GraphicsMapping(const GraphicsMapping&) = delete;
    GraphicsMapping& operator=(const GraphicsMapping&) = delete;
    /// Unmaps the resources in the order of the stream. A failure is reported to the cleanup handler.
    ~GraphicsMapping();

    /// Returns the number of resources.
    [[nodiscard]] std::size_t count() const;
    // The functions below return views that are valid until the resources are unmapped. `index` is the position of the resource
    // in the list. They throw std::invalid_argument for a position that does not exist.

    /// Returns a view of the bytes of a buffer (cuGraphicsResourceGetMappedPointer). Throws Error for an image.
    [[nodiscard]] Buffer buffer(std::size_t index = 0) const;
    /// Returns a layer or a face, and a level of detail, of an image (cuGraphicsSubResourceGetMappedArray). Throws Error for a
    /// buffer, and for a layer or a level that does not exist.
    [[nodiscard]] ArrayRef array(std::size_t index = 0, unsigned int layer = 0, unsigned int level = 0) const;
    /// Returns an image with all its levels of detail (cuGraphicsResourceGetMappedMipmappedArray). Throws Error for a buffer.
    [[nodiscard]] MipmappedArrayRef mipmapped_array(std::size_t index = 0) const;

    /// Unmaps the resources in the order of the stream. Throws Error if that fails; the object is empty in either case. Does
    /// nothing if the object is empty.
    void unmap();
    /// Unmaps the resources in the order of another stream of the same context, which must have waited for the work with the
    /// resources. Throws std::invalid_argument for an empty stream, before it unmaps anything.
    void unmap(StreamRef stream);
    /// Returns whether the object has resources mapped.
    [[nodiscard]] bool is_mapped() const noexcept { return resources_ != nullptr; }

private:
    const detail::MappedResources& resources() const;

    std::unique_ptr<detail::MappedResources> resources_;
};

}  // namespace CUBIND_NAMESPACE
