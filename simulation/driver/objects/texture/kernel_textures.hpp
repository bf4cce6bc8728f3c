// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "objects/texture/descriptors.hpp"
#include "objects/texture/object.hpp"
#include "ptx/run/texture.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The objects that kernels use by their handles.
struct KernelObjects {
    ResourceObjects resources;
    const Registry<driver::CUtexObject, TextureObject>& textures;
    const Registry<driver::CUsurfObject, SurfaceObject>& surfaces;
};

/// The texture and surface objects of one launch. Retains the memory of each that the kernel has used. Thread-safe.
class KernelTextures : public ptx::TextureSource {
public:
    explicit KernelTextures(const KernelObjects& objects) : objects_(objects) {}

    const ptx::Texture* find_texture(std::uint64_t handle) override;
    const ptx::Texture* find_surface(std::uint64_t handle) override;

private:
    const KernelObjects& objects_;
    std::mutex mutex_;
    std::map<std::uint64_t, std::unique_ptr<const ptx::Texture>> textures_;
    std::map<std::uint64_t, std::unique_ptr<const ptx::Texture>> surfaces_;
};

}  // namespace CUBIND_NAMESPACE::sim
