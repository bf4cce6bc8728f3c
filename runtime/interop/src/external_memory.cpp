// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>
#include <cubind/driver/external_resource.hpp>
#include <cubind/interop/external_memory.hpp>

#include <optional>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "calls/driver.hpp"
#include "descriptor_guard.hpp"
#include "device/context_object.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/synchronous_memory.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {
namespace {

Result<driver::CUresult> destroy_memory(unsigned long long handle) {
    return driver::cuDestroyExternalMemory(reinterpret_cast<driver::CUexternalMemory>(handle));
}

}  // namespace

/// What cubind stores about imported memory that it owns.
class ExternalMemoryState final : public ContextObject {
public:
    ExternalMemoryState(ContextRef context, std::size_t own_size)
        : ContextObject(context, destroy_memory, "destroy external memory"), size(own_size) {}

    /// Takes ownership of the memory, and returns a view that has its state.
    static ExternalMemoryRef own(const std::shared_ptr<ExternalMemoryState>& state, driver::CUexternalMemory handle) noexcept {
        ExternalMemoryRef memory(handle);
        memory.state_ = ContextObject::own(state, reinterpret_cast<unsigned long long>(handle));
        return memory;
    }

    /// Returns the state of a view, or nullptr.
    static const ExternalMemoryState* of(ExternalMemoryRef memory) noexcept { return memory.state_; }

    const std::size_t size;
};

std::shared_ptr<const void> share(ExternalMemoryRef memory) {
    (void)memory.native_handle();
    return memory.state_ == nullptr ? nullptr : memory.state_->share();
}

namespace {

ContextRef context_of_memory(ExternalMemoryRef memory) {
    const ExternalMemoryState* const state = ExternalMemoryState::of(memory);
    return state != nullptr ? state->context() : context_of_foreign_object();
}

std::string describe_size(ExternalMemoryRef memory) {
    const ExternalMemoryState* const state = ExternalMemoryState::of(memory);
    return state == nullptr ? std::string("memory of unknown size") : concat("memory of ", state->size, " bytes");
}

// Throws std::invalid_argument unless the bytes lie within the memory, whose size may be unknown.
void check_range(ExternalMemoryRef memory, std::size_t offset, std::size_t size) {
    const ExternalMemoryState* const state = ExternalMemoryState::of(memory);
    if (size == 0) throw_misuse("cannot map 0 bytes of external memory");
    if (state == nullptr || (offset <= state->size && size <= state->size - offset)) return;
    throw_misuse("cannot map ", size, " bytes from byte ", offset, " on: the external memory has ", state->size, " bytes");
}

/// The part of external memory that begins at an offset. Each allocation maps it once.
class MappedExternalMemory final : public SynchronousMemory {
public:
    MappedExternalMemory(ExternalMemoryRef memory, std::size_t offset)
        : context_(context_of_memory(memory)),
          device_(context_.device()),
          memory_(memory),
          retained_(detail::share(memory)),
          offset_(offset) {}

    driver::CUdeviceptr allocate(StreamRef, std::size_t size, std::size_t) override {
        check_range(memory_, offset_, size);
        driver::CUDA_EXTERNAL_MEMORY_BUFFER_DESC description{};
        description.offset = offset_;
        description.size = size;
        const ScopedContext scope(context_);
        const RelaxedCaptureMode mode;
        const auto mapped = driver::cuExternalMemoryGetMappedBuffer(memory_.native_handle(), &description);
        if (!mapped.ok()) {
            throw_with_advice({mapped.status}, concat("The call was for ", size, " bytes from byte ", offset_, " on of ",
                                                      describe_size(memory_), "."));
        }
        return mapped.value;
    }
    bool is_host_accessible() const noexcept override { return false; }
    std::optional<Device> device() const noexcept override { return device_; }

private:
    const ContextRef context_;
    const Device device_;
    const ExternalMemoryRef memory_;
    const std::shared_ptr<const void> retained_;
    const std::size_t offset_;
};

}  // namespace
}  // namespace detail

// ---- the view ------------------------------------------------------------------------------------------------------------

std::size_t ExternalMemoryRef::size() const {
    (void)native_handle();
    if (state_ == nullptr)
        detail::throw_misuse("the driver does not report the size of external memory that cubind does not own");
    return state_->size;
}

Buffer ExternalMemoryRef::map_buffer(StreamRef stream) const {
    return map_buffer(stream, 0, size());
}

Buffer ExternalMemoryRef::map_buffer(StreamRef stream, std::size_t offset, std::size_t size) const {
    (void)native_handle();
    detail::check_range(*this, offset, size);
    return MemoryResource(std::make_shared<detail::MappedExternalMemory>(*this, offset)).allocate(stream, size, 1);
}

MipmappedArray ExternalMemoryRef::map_mipmapped_array(const ArrayOptions& options, const ExternalImageOptions& image) const {
    (void)native_handle();
    const ContextRef context = detail::context_of_memory(*this);
    detail::check_array(options, context);
    detail::check_level_count(options, image.level_count);
    if (image.level_count == 0) detail::throw_misuse("ExternalImageOptions: the level_count is 0, but it must be at least 1");
    if (state_ != nullptr && image.offset >= state_->size) {
        detail::throw_misuse("cannot map an image from byte ", image.offset, " on: the external memory has ", state_->size,
                             " bytes");
    }
    driver::CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC description{};
    description.offset = image.offset;
    description.arrayDesc = detail::descriptor_of(options);
    if (image.color_attachment) description.arrayDesc.Flags |= unsigned{driver::CUDA_ARRAY3D_COLOR_ATTACHMENT};
    description.numLevels = image.level_count;
    const auto map = [&] {
        const auto mapped = driver::cuExternalMemoryGetMappedMipmappedArray(handle_, &description);
        if (!mapped.ok()) {
            detail::throw_with_advice({mapped.status},
                                      detail::concat("The call was for ", detail::describe(options), " with ", image.level_count,
                                                     " levels from byte ", image.offset, " on of ", detail::describe_size(*this),
                                                     "; format, extents and number of levels must equal those of the image."));
        }
        return mapped.value;
    };
    return detail::MipmappedArrayState::create(context, image.level_count, map, detail::share(*this));
}

void ExternalMemoryRef::destroy() const {
    state_->close();
}

void ExternalMemoryRef::destroy_quietly() const noexcept {
    state_->drop();
}

ExternalMemoryRef::Handle ExternalMemoryRef::release_handle() const noexcept {
    const Handle handle = handle_;
    if (state_ != nullptr) state_->disown();
    return handle;
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

namespace {

// Imports memory whose type and handle `description` has. `what` names the object in messages, `needs` the conditions.
ExternalMemoryRef import_memory(ContextRef context, driver::CUDA_EXTERNAL_MEMORY_HANDLE_DESC description, std::size_t size,
                                const ExternalMemoryOptions& options, const std::string& what, const char* needs) {
    description.size = size;
    if (options.dedicated) description.flags = driver::CUDA_EXTERNAL_MEMORY_DEDICATED;
    if (size == 0) detail::throw_misuse("cannot import external memory of 0 bytes: state the size of the whole allocation");
    const auto state = std::make_shared<detail::ExternalMemoryState>(context, size);
    const ScopedContext scope(context);
    const detail::RelaxedCaptureMode mode;
    const auto imported = driver::cuImportExternalMemory(&description);
    if (!imported.ok()) {
        detail::throw_with_advice({imported.status},
                                  detail::concat(what, " was to be imported as ", options.dedicated ? "dedicated " : "",
                                                 "memory of ", size, " bytes. ", needs));
    }
    return detail::ExternalMemoryState::own(state, imported.value);
}

ExternalMemoryRef import_memory(ContextRef context, FileDescriptor& descriptor, std::size_t size,
                                const ExternalMemoryOptions& options) {
    driver::CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
    description.type = driver::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = descriptor.native_handle();
    const detail::DescriptorGuard guard(descriptor);
    const ExternalMemoryRef memory = import_memory(
        context, description, size, options, detail::concat("File descriptor ", descriptor.native_handle()),
        "It must be exported by a driver of the same GPU as an opaque file descriptor, and the size must be that of "
        "the whole allocation.");
    (void)descriptor.release();
    return memory;
}

}  // namespace

ExternalMemory::ExternalMemory(Device device, FileDescriptor&& descriptor, std::size_t size, const ExternalMemoryOptions& options)
    : ExternalMemory(device.context(), std::move(descriptor), size, options) {}

ExternalMemory::ExternalMemory(ContextRef context, FileDescriptor&& descriptor, std::size_t size,
                               const ExternalMemoryOptions& options)
    : Owner(import_memory(context, descriptor, size, options)) {}

ExternalMemory ExternalMemory::import_nv_sci_buf(ContextRef context, const void* object, std::size_t size,
                                                 const ExternalMemoryOptions& options) {
    if (object == nullptr) detail::throw_misuse("ExternalMemory::import_nv_sci_buf(): the object is nullptr");
    driver::CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
    description.type = driver::CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF;
    description.handle.nvSciBufObject = object;
    return ExternalMemory(import_memory(context, description, size, options, "An NvSciBufObj",
                                        "Only systems with NvSci support that, and the object must be reconciled for this GPU."));
}

ExternalMemory ExternalMemory::from_native_handle(Handle handle, std::size_t size) {
    (void)ExternalMemoryRef(handle).native_handle();
    const auto state = std::make_shared<detail::ExternalMemoryState>(detail::context_of_foreign_object(), size);
    return ExternalMemory(detail::ExternalMemoryState::own(state, handle));
}

}  // namespace CUBIND_NAMESPACE
