// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>
#include <utility>

#include "objects/context/context.hpp"
#include "objects/virtual/external_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Memory of another interface that the program has imported.
struct ExternalMemory {
    ExternalMemory(driver::CUexternalMemory own_handle, std::shared_ptr<Context> owner, std::shared_ptr<ExternalFile> own_file)
        : handle(own_handle), context(std::move(owner)), file(std::move(own_file)) {}

    const driver::CUexternalMemory handle;
    const std::shared_ptr<Context> context;
    const std::shared_ptr<ExternalFile> file;
};

}  // namespace CUBIND_NAMESPACE::sim
