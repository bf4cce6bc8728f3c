// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "objects/context/context.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A texture object: the descriptors that the program passed.
class TextureObject {
public:
    TextureObject(driver::CUtexObject own_handle, std::shared_ptr<Context> owner, const driver::CUDA_RESOURCE_DESC& own_resource,
                  const driver::CUDA_TEXTURE_DESC& own_texture, const driver::CUDA_RESOURCE_VIEW_DESC& own_view)
        : handle(own_handle), context(std::move(owner)), resource(own_resource), texture(own_texture), view(own_view) {}

    const driver::CUtexObject handle;
    const std::shared_ptr<Context> context;
    const driver::CUDA_RESOURCE_DESC resource;
    const driver::CUDA_TEXTURE_DESC texture;
    const driver::CUDA_RESOURCE_VIEW_DESC view;  ///< zero if the program passed none
};

/// A surface object: the descriptor that the program passed.
class SurfaceObject {
public:
    SurfaceObject(driver::CUsurfObject own_handle, std::shared_ptr<Context> owner, const driver::CUDA_RESOURCE_DESC& own_resource)
        : handle(own_handle), context(std::move(owner)), resource(own_resource) {}

    const driver::CUsurfObject handle;
    const std::shared_ptr<Context> context;
    const driver::CUDA_RESOURCE_DESC resource;
};

}  // namespace CUBIND_NAMESPACE::sim
