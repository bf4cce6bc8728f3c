// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/kernels/embedded_kernel.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE {

/// Memory that a kernel of Triton needs for each of its blocks. The launch allocates it.
struct TritonScratch {
    std::size_t size = 0;       ///< in bytes, for each block; 0 if the kernel has the parameter and needs no memory
    std::size_t alignment = 1;  ///< in bytes, a power of two
};

/// What Triton states about a kernel that it has compiled, in the file NAME.json beside NAME.cubin and NAME.ptx. The members have
/// the names of that file. <cubind/kernels/triton_json.hpp> reads it.
struct TritonMetadata {
    std::string name;                      ///< symbol of the kernel
    int num_warps = 4;                     ///< warps of a block
    int warp_size = 32;                    ///< threads of a warp
    int num_ctas = 1;                      ///< blocks of a program, which are a cluster if there are several
    std::size_t shared = 0;                ///< dynamic shared memory of a block, in bytes
    bool launch_cooperative_grid = false;  ///< whether all blocks run at the same time
    bool launch_pdl = false;               ///< whether the kernel may begin before the preceding one has ended
    /// Memory of each block; std::nullopt if the kernel has no parameter for it, as those of Triton 3.1 and older.
    std::optional<TritonScratch> global_scratch = {};
    /// Memory of each block for the profiler Proton; std::nullopt if the kernel has no parameter for it.
    std::optional<TritonScratch> profile_scratch = {};
};

namespace detail {

/// Throws std::invalid_argument for the metadata in a file or text. `what` is the end of the sentence, and `member` is empty if
/// the mistake is in no single member.
[[noreturn]] CUBIND_EXPORT void throw_invalid_metadata(std::string_view place, std::string_view what,
                                                       std::string_view member = {});

/// A kernel of Triton without the types of its parameters.
class TritonKernel {
public:
    /// Loads the kernel and compares the metadata with it and with the device. Throws std::invalid_argument if they differ.
    CUBIND_EXPORT TritonKernel(const ObjectCode& code, const TritonMetadata& metadata, const Device& device);

    const Kernel& kernel() const noexcept { return kernel_; }
    /// Returns the number of parameters for scratch memory, 0 to 2. They are the last ones.
    int scratch_parameters() const noexcept { return (global_ ? 1 : 0) + (profile_ ? 1 : 0); }
    /// Returns the launch of a grid of programs.
    CUBIND_EXPORT LaunchConfig config(Dim3 programs) const;
    /// Allocates the memory of a parameter for scratch memory for a grid of programs, in the order of the stream: of the first
    /// one, if there is one, and of the second one, if there are two.
    Buffer first_scratch(StreamRef stream, Dim3 programs) const {
        return scratch(stream, programs, global_ ? global_ : profile_);
    }
    Buffer second_scratch(StreamRef stream, Dim3 programs) const { return scratch(stream, programs, profile_); }

private:
    CUBIND_EXPORT Buffer scratch(StreamRef stream, Dim3 programs, const std::optional<TritonScratch>& size) const;

    Kernel kernel_;
    LaunchConfig config_;
    unsigned int blocks_ = 1;
    std::optional<TritonScratch> global_, profile_;
};

}  // namespace detail

/// Not defined: a signature must be `void(Parameters...)`.
template <class Signature>
class TritonFunction;

/// A kernel that Triton has compiled, with a signature: the parameters of the Python function without those of type constexpr. It
/// is launched with the number of programs; the metadata state the threads, the shared memory and the rest. A handle: it is cheap
/// to copy. Any thread may call it.
///
///     const ObjectCode code = ObjectCode::from_file(CodeType::cubin, "softmax.cubin");
///     TritonFunction<void(float*, const float*, int)> softmax(code, read_triton_metadata("softmax.json"), device);
///     softmax(stream, rows, out, in, columns);       // one program for each row
template <class... Parameters>
class TritonFunction<void(Parameters...)> {
public:
    /// Loads the kernel and compares the number and the sizes of the parameters, the shared memory and the cluster with those of
    /// the kernel and the device. Throws std::invalid_argument if they differ, and the exceptions of ObjectCode::kernel(). Two
    /// mistakes of the metadata are found later: with another number of warps than the code is for, the driver refuses each
    /// launch (CUDA_ERROR_INVALID_VALUE); with too little shared memory, the kernel accesses memory that it does not have.
    TritonFunction(const ObjectCode& code, const TritonMetadata& metadata, const Device& device)
        : kernel_(code, metadata, device) {
        (detail::check_kernel_argument<Parameters>(), ...);
        const int scratch = kernel_.scratch_parameters();
        const unsigned int* types = detail::types_of<Parameters...>.numbers;
        if (scratch == 1) types = detail::types_of<Parameters..., std::byte*>.numbers;
        if (scratch == 2) types = detail::types_of<Parameters..., std::byte*, std::byte*>.numbers;
        detail::check_signature(kernel_.kernel(), types, device);
    }

    /// Launches `programs` programs on the stream's device, as KernelFunction does. Scratch memory is allocated before and freed
    /// after the kernel in the order of the stream.
    void operator()(StreamRef stream, Dim3 programs, ArgumentFor<Parameters>... arguments) const {
        const LaunchConfig config = kernel_.config(programs);
        if (kernel_.scratch_parameters() == 0) {
            detail::launch_function<Parameters...>(stream, config, kernel_.kernel(), arguments...);
            return;
        }
        const Buffer first = kernel_.first_scratch(stream, programs);
        if (kernel_.scratch_parameters() == 1) {
            detail::launch_function<Parameters..., std::byte*>(stream, config, kernel_.kernel(), arguments..., first);
            return;
        }
        const Buffer second = kernel_.second_scratch(stream, programs);
        detail::launch_function<Parameters..., std::byte*, std::byte*>(stream, config, kernel_.kernel(), arguments..., first,
                                                                       second);
    }

    /// Returns the kernel that the calls launch.
    [[nodiscard]] const Kernel& kernel() const noexcept { return kernel_.kernel(); }

private:
    detail::TritonKernel kernel_;
};

}  // namespace CUBIND_NAMESPACE
