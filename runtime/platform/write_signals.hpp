// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Discards the signals that failed writes send to the calling thread and that would end the process: SIGPIPE for a pipe without
/// a reader, and SIGXFSZ beyond the limit of the size of files. Signals that were pending before remain pending.
class CUBIND_EXPORT WithoutWriteSignals {
public:
    WithoutWriteSignals() noexcept;
    ~WithoutWriteSignals();
    WithoutWriteSignals(const WithoutWriteSignals&) = delete;
    WithoutWriteSignals& operator=(const WithoutWriteSignals&) = delete;

    bool has_failed = false;  ///< whether a write has failed, so that a signal may be pending

private:
    unsigned blocked_ = 0;    ///< bits of the signals that the thread received before
    unsigned discarded_ = 0;  ///< bits of the signals that were not pending before
};

}  // namespace CUBIND_NAMESPACE::detail
