// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "egl_connection.hpp"

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {

void EglConnectionDeleter::operator()(EglConnection* connection) const noexcept {
    connection->drop();
}

void check_egl_stream(driver::EGLStreamKHR stream, const char* class_name) {
    if (stream == nullptr) throw_misuse(class_name, ": the stream is null (EGL_NO_STREAM_KHR)");
}

EglConnection& connection_of(const EglConnectionOwner& owner, const char* class_name) {
    if (owner == nullptr) throw_moved_from(class_name);
    return *owner;
}

void close_connection(EglConnectionOwner& owner) {
    if (EglConnection* const connection = owner.release()) connection->close();
}

}  // namespace CUBIND_NAMESPACE::detail
