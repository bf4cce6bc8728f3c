// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/copy_options.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <cstddef>
#include <string>
#include <vector>

/// Copies with attributes: the driver's form of CopyOptions.
namespace CUBIND_NAMESPACE::detail {

/// Returns the attributes. Throws std::invalid_argument for an access order that does not exist.
[[nodiscard]] driver::CUmemcpyAttributes attributes_of(const CopyOptions& options);

/// Returns the options whose attributes these are.
[[nodiscard]] CopyOptions options_of(const driver::CUmemcpyAttributes& attributes);

/// Copies that one call of cuMemcpyBatchAsync submits.
class AttributeBatch {
public:
    /// Adds a copy that is not empty, and whose operands the stream's device can access.
    void add(const CopyOperands& operands, const CopyOptions& options);
    /// Returns whether there are no copies.
    [[nodiscard]] bool is_empty() const noexcept { return sizes_.empty(); }
    /// Submits the copies (cuMemcpyBatchAsync). Drivers before CUDA 12.8 lack the function; is_missing() then returns true for
    /// the result. The stream's context is current.
    [[nodiscard]] Result<driver::CUresult> submit(StreamRef stream);

private:
    std::vector<driver::CUdeviceptr> destinations_;
    std::vector<driver::CUdeviceptr> sources_;
    std::vector<std::size_t> sizes_;
    std::vector<driver::CUmemcpyAttributes> attributes_;
    std::vector<std::size_t> first_;  // the index of the first copy to which an entry of attributes_ applies
    CopyOptions last_;
};

/// Why the copies of a stream cannot have attributes.
enum class AttributeObstacle {
    none,            ///< they can have attributes
    legacy_default,  ///< drivers reject attributes in the legacy default stream
    capture          ///< the stream is captured
};
[[nodiscard]] AttributeObstacle attribute_obstacle(StreamRef stream);

/// Throws std::invalid_argument if the source is to be read during the call that captures the copy.
void check_order_in_capture(const CopyOptions& options, AttributeObstacle obstacle, const std::string& which = {});

}  // namespace CUBIND_NAMESPACE::detail
