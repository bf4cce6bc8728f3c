// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// The driver's log, which explains failures: the latest messages of all threads of the process. Positions in it (CUlogIterator)
/// count the messages that were written. Each message is a line "[time][thread][CUDA][E] text"; the time is UTC, and the thread
/// is pthread_self() as a decimal, as on a GPU. Thread-safe. fork() waits for its locks.
class DriverLog {
public:
    static constexpr std::size_t max_messages = 100;
    static constexpr std::size_t max_bytes = 25600;  ///< of all messages, with a newline after each

    static DriverLog& of_process() noexcept;

    /// Appends a message and calls the registered functions on the calling thread. Control characters are escaped, and a long
    /// text is cut. Drops the message if no memory is left. A message of a registered function is not passed to the functions.
    void write(driver::CUlogLevel level, std::string_view text) noexcept;
    /// Returns whether the calling thread has written a message since its previous call of this function.
    static bool take_has_written() noexcept;

    /// Returns the position after the latest message.
    driver::CUlogIterator end() const;
    /// Returns whether `position` is null or not after the end.
    bool is_valid(const driver::CUlogIterator* position) const;
    /// Returns the messages from `position` on, or all if it is null, each with a newline. A line without time and thread
    /// precedes them if older ones were overwritten. Sets the position, which must be valid, to the end.
    std::string messages(driver::CUlogIterator* position) const;
    /// Writes the messages and a NUL to `buffer`, and their length to `*size`, which is the size of the buffer before the call.
    /// If they do not fit, writes a line that says so, and as many of the latest messages as fit. Returns
    /// CUDA_ERROR_INVALID_VALUE, sets `*size` to 0 and leaves the position unchanged if not even the latest one fits.
    driver::CUresult write_messages(driver::CUlogIterator* position, char* buffer, std::size_t* size) const;

    /// Registers a function, which receives the text of each message without time and thread.
    driver::CUlogsCallbackHandle add(driver::CUlogsCallback function, void* user_data);
    /// Removes a function and waits until it is not running on another thread. Returns false if it is not registered.
    bool remove(driver::CUlogsCallbackHandle handle);

    /// Forgets all messages and functions. Positions remain valid and are at the end.
    void clear();

private:
    struct Callback {
        driver::CUlogsCallbackHandle handle;
        driver::CUlogsCallback function;
        void* user_data;
    };

    DriverLog();
    void append(std::string line);
    /// Returns how many messages follow the position; `overwritten` is set if there were more.
    std::size_t count_after(const driver::CUlogIterator* position, bool& overwritten) const;

    std::recursive_mutex callback_mutex_;  // locked before the other one, while functions run; both guard callbacks_
    std::vector<Callback> callbacks_;
    mutable std::mutex mutex_;        // guards what follows
    std::vector<std::string> lines_;  // oldest first; a vector without elements needs no memory
    std::size_t bytes_ = 0;
    driver::CUlogIterator begin_ = 0;  // position of the latest clear()
    driver::CUlogIterator end_ = 0;
};

}  // namespace CUBIND_NAMESPACE::sim
