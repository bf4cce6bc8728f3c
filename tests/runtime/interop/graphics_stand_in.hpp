// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>
#include <cubind/layers/layer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cubind::testing {

/// Takes the place of the part of a driver that exchanges objects with OpenGL, which the simulated driver does not have. While
/// the object exists, the calls of these functions end here.
class GraphicsStandIn final : public layers::Layer {
public:
    /// An object of OpenGL. A buffer has memory, an image has an array.
    struct Object {
        driver::CUdeviceptr memory = 0;
        std::size_t size = 0;
        driver::CUarray array = nullptr;
        driver::CUmipmappedArray levels = nullptr;
    };
    /// A registered object.
    struct Registration {
        unsigned int name;
        unsigned int target;  ///< 0 for a buffer
        unsigned int flags;
        unsigned int map_flags = 0;
        driver::CUstream mapped_on = nullptr;
        bool is_mapped = false;
    };

    GraphicsStandIn() { layers::push(*this); }
    GraphicsStandIn(const GraphicsStandIn&) = delete;
    GraphicsStandIn& operator=(const GraphicsStandIn&) = delete;
    ~GraphicsStandIn() { layers::remove(*this); }

    std::map<unsigned int, Object> objects;  ///< by name
    std::map<driver::CUgraphicsResource, Registration> registered;
    std::vector<std::string> log;  ///< "map 2", "unmap 2", "unregister"

    /// Returns the only registration.
    const Registration& only() const { return registered.begin()->second; }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view symbol = call.function.symbol;
        if (!symbol.starts_with("cuGraphics")) return next(call);
        call.status() = static_cast<int>(answer(symbol, call));
    }

private:
    template <class Type>
    static Type argument(const Call& call, std::size_t index) {
        return *static_cast<const Type*>(call.arguments[index]);
    }
    template <class Type>
    static driver::CUresult write(const Call& call, std::size_t index, Type value) {
        *argument<Type*>(call, index) = value;
        return driver::CUDA_SUCCESS;
    }

    driver::CUresult answer(std::string_view symbol, const Call& call) {
        if (symbol == "cuGraphicsGLRegisterBuffer") {
            return add(call, {argument<unsigned int>(call, 1), 0, argument<unsigned int>(call, 2)});
        }
        if (symbol == "cuGraphicsGLRegisterImage") {
            return add(call, {argument<unsigned int>(call, 1), argument<unsigned int>(call, 2), argument<unsigned int>(call, 3)});
        }
        if (symbol == "cuGraphicsMapResources") return map(call, true);
        if (symbol == "cuGraphicsUnmapResources") return map(call, false);
        if (symbol == "cuGraphicsUnregisterResource") {
            const bool is_removed = registered.erase(argument<driver::CUgraphicsResource>(call, 0)) == 1;
            log.push_back("unregister");
            return is_removed ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_HANDLE;
        }
        if (symbol == "cuGraphicsResourceSetMapFlags_v2") {
            registered.at(argument<driver::CUgraphicsResource>(call, 0)).map_flags = argument<unsigned int>(call, 1);
            return driver::CUDA_SUCCESS;
        }
        return get(symbol, call);
    }

    driver::CUresult add(const Call& call, const Registration& registration) {
        if (!objects.contains(registration.name)) return driver::CUDA_ERROR_INVALID_VALUE;
        const auto handle = reinterpret_cast<driver::CUgraphicsResource>(next_ += 16);
        registered.emplace(handle, registration);
        return write(call, 0, handle);
    }

    driver::CUresult map(const Call& call, bool is_mapped) {
        const auto count = argument<unsigned int>(call, 0);
        auto* const handles = argument<driver::CUgraphicsResource*>(call, 1);
        for (unsigned int i = 0; i < count; ++i) {
            const auto found = registered.find(handles[i]);
            if (found == registered.end()) return driver::CUDA_ERROR_INVALID_HANDLE;
            if (found->second.is_mapped == is_mapped) return driver::CUDA_ERROR_ALREADY_MAPPED;
        }
        for (unsigned int i = 0; i < count; ++i) {
            registered.at(handles[i]).is_mapped = is_mapped;
            registered.at(handles[i]).mapped_on = argument<driver::CUstream>(call, 2);
        }
        log.push_back((is_mapped ? "map " : "unmap ") + std::to_string(count));
        return driver::CUDA_SUCCESS;
    }

    // Returns what a mapped resource has.
    driver::CUresult get(std::string_view symbol, const Call& call) {
        const bool is_pointer = symbol == "cuGraphicsResourceGetMappedPointer_v2";
        const auto found = registered.find(argument<driver::CUgraphicsResource>(call, is_pointer ? 2 : 1));
        if (found == registered.end() || !found->second.is_mapped) return driver::CUDA_ERROR_NOT_MAPPED;
        const Object& object = objects.at(found->second.name);
        if (is_pointer) {
            if (found->second.target != 0) return driver::CUDA_ERROR_NOT_MAPPED_AS_POINTER;
            (void)write(call, 0, object.memory);
            return write(call, 1, object.size);
        }
        if (found->second.target == 0) return driver::CUDA_ERROR_NOT_MAPPED_AS_ARRAY;
        if (symbol == "cuGraphicsResourceGetMappedMipmappedArray") return write(call, 0, object.levels);
        if (symbol != "cuGraphicsSubResourceGetMappedArray") return driver::CUDA_ERROR_NOT_SUPPORTED;
        const bool exists = argument<unsigned int>(call, 2) == 0 && argument<unsigned int>(call, 3) == 0;
        return exists ? write(call, 0, object.array) : driver::CUDA_ERROR_INVALID_VALUE;
    }

    std::uintptr_t next_ = 0x1000;
};

}  // namespace cubind::testing
