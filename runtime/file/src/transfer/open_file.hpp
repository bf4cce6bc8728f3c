// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cufile/types.hpp>
#include <cubind/file/file_options.hpp>

#include <memory>
#include <string>

#include "cufile/session.hpp"
#include "staging/bounce.hpp"
#include "storage/posix_file.hpp"
#include "support/failures.hpp"

namespace CUBIND_NAMESPACE::detail::io {

/// An open file, which its File and running transfers retain. Any thread may use it.
class OpenFile {
public:
    /// Opens the file. Throws as the constructor of File does.
    OpenFile(const std::string& path, const FileOptions& options);
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] const FileOptions& options() const noexcept { return options_; }
    [[nodiscard]] const PosixFile& posix() const noexcept { return posix_; }
    [[nodiscard]] BouncePool& bounces() const noexcept { return bounces_; }

    [[nodiscard]] FileRoute route() const noexcept { return route_; }
    [[nodiscard]] const std::string& route_reason() const noexcept { return reason_; }
    /// Returns cuFile's handle; nullptr if the route is posix.
    [[nodiscard]] cufile::CUfileHandle_t handle() const noexcept { return handle_; }
    [[nodiscard]] CufileSession& session() const noexcept { return *session_; }
    /// Returns whether cuFile has a feature. Without it, transfers take the route posix.
    [[nodiscard]] bool has(cufile::CUfileFeatureFlags_t feature) const noexcept {
        return handle_ != nullptr && properties_.supports(feature);
    }
    [[nodiscard]] const FileDriverProperties& properties() const noexcept { return properties_; }

private:
    void check_demand();
    [[noreturn]] void throw_without_route() const;
    void choose_route();
    void use_cufile();

    const std::string path_;
    const FileOptions options_;
    PosixFile posix_;
    mutable BouncePool bounces_;
    std::shared_ptr<CufileSession> session_;
    FileDriverProperties properties_;
    cufile::CUfileHandle_t handle_ = nullptr;
    FileRoute route_ = FileRoute::posix;
    std::string reason_;
};

}  // namespace CUBIND_NAMESPACE::detail::io
