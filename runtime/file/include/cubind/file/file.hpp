// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/file/detail/file_memory.hpp>
#include <cubind/file/file_options.hpp>
#include <cubind/file/file_result.hpp>
#include <cubind/file/file_transfer.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace CUBIND_NAMESPACE {

namespace detail::io {
class OpenFile;
}

/// An owner of an open file whose content is transferred from and to memory of devices: with GPUDirect Storage where driver and
/// file system support it, otherwise by the operating system and through pinned memory, where reading and copying overlap.
/// FileResult::route says which way it was.
///
///     File file("weights.bin");
///     TypedBuffer<float> weights = device.allocate<float>(stream, count);
///     stream.synchronize();                                               // the memory exists
///     FileResult result = file.read(weights);                             // waits
///     FileTransfer part = file.read_async(stream, weights, {.file_offset = 4096, .size = 1024});
///
/// The memory is a Buffer, a TypedBuffer or a contiguous range of trivially copyable elements: of any device, pinned, managed or
/// pageable. FileRange selects the bytes in the file and in the memory. There is no position that a transfer changes: several
/// threads may transfer at the same time with one object. Transfers of 0 bytes do nothing, but check their arguments. Large
/// transfers are divided into calls of at most 1 GiB.
///
/// A read ends at the end of the file. FileResult::bytes then is less than requested, and FileResult::reached_end is true.
/// Failures throw FileError. Mistakes throw std::invalid_argument before anything is transferred: a range outside of the memory
/// or beyond 2^63 - 1, a file that was not opened for the operation, addresses outside of an allocation.
///
/// Movable, not copyable. The destructor does not wait: transfers of streams and batches retain what they need of the file.
class [[nodiscard]] CUBIND_EXPORT File {
public:
    /// Creates an object without a file, which can be assigned.
    File() noexcept = default;
    /// Opens a file. Child processes do not inherit it. Throws FileError for a file that cannot be opened, for a folder, and for
    /// what has no offsets, such as a pipe. Throws std::invalid_argument for options that contradict each other, and for a path
    /// that is empty or has a NUL (cuFileHandleRegister, if it uses cuFile).
    [[nodiscard]] explicit File(const std::string& path, const FileOptions& options = {});

    /// Takes the file of the other object, which is closed then.
    File(File&& other) noexcept = default;
    /// Closes the own file, and takes that of the other object.
    File& operator=(File&& other) noexcept = default;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    /// Closes the file after the last transfer that uses it (cuFileHandleDeregister).
    ~File() = default;

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the path that the file was opened with.
    [[nodiscard]] const std::string& path() const;
    /// Returns the size in bytes, as it is now. Throws FileError.
    [[nodiscard]] std::uint64_t size() const;
    /// Returns the route of transfers with memory of devices.
    [[nodiscard]] FileRoute route() const;
    /// Returns why the route is not gpu_direct, as a sentence; empty if it is.
    [[nodiscard]] const std::string& route_reason() const;
    /// Returns whether transfers bypass the page cache; see FileOptions::direct.
    [[nodiscard]] bool is_direct() const;
    /// Returns cuFile's handle, for generated functions; nullptr if the route is posix. The File owns it.
    [[nodiscard]] void* native_handle() const;
    /// Returns whether the object was closed or moved from.
    [[nodiscard]] bool is_closed() const noexcept { return file_ == nullptr; }

    // ---- transfers that wait ---------------------------------------------------------------------------------------------

    /// Reads into the memory, and returns when it has the bytes (cuFileRead). Does not wait for streams: earlier work that uses
    /// the memory, and the allocation of a buffer, must have completed. Memory behind FileResult::bytes is unchanged.
    template <detail::io::Destination Memory>
    FileResult read(Memory&& memory, const FileRange& range = {}) const {
        return read_now(detail::OperandOf<Memory>::view(memory), range);
    }
    /// Writes from the memory, and returns when the operating system has the bytes (cuFileWrite). Does not wait for streams.
    /// The file grows if needed.
    template <detail::io::Source Memory>
    FileResult write(Memory&& memory, const FileRange& range = {}) const {
        return write_now(detail::OperandOf<Memory>::view(memory), range);
    }

    // ---- transfers in the order of a stream ------------------------------------------------------------------------------

    /// Reads into the memory after the earlier work of the stream, and before its later work (cuFileReadAsync). The stream must
    /// be of the device of the memory, and must not be capturing; both throw std::invalid_argument. A Buffer and a TypedBuffer
    /// are retained; other memory must outlive the transfer. If the file ends early, memory behind the result has no defined
    /// value.
    ///
    /// By the route posix, host functions of the driver read the file, so that other host functions may wait for it, and another
    /// stream of the File is used, so that reading and copying overlap.
    template <detail::io::Destination Memory>
    FileTransfer read_async(StreamRef stream, Memory&& memory, const FileRange& range = {}) const {
        return begin_read(stream, detail::OperandOf<Memory>::view(memory), range);
    }
    /// Writes from the memory in stream order, like read_async() (cuFileWriteAsync).
    template <detail::io::Source Memory>
    FileTransfer write_async(StreamRef stream, Memory&& memory, const FileRange& range = {}) const {
        return begin_write(stream, detail::OperandOf<Memory>::view(memory), range);
    }

    // ---- end -------------------------------------------------------------------------------------------------------------

    /// Waits until everything that was written is stored, so that it survives a power failure (fsync). Throws FileError.
    void flush() const;
    /// Closes the file like the destructor. Closing again does nothing.
    void close() noexcept { file_ = nullptr; }

private:
    friend class FileBatch;
    const std::shared_ptr<detail::io::OpenFile>& open_file() const;
    FileResult read_now(const detail::MemoryView& memory, const FileRange& range) const;
    FileResult write_now(const detail::MemoryView& memory, const FileRange& range) const;
    FileTransfer begin_read(StreamRef stream, const detail::MemoryView& memory, const FileRange& range) const;
    FileTransfer begin_write(StreamRef stream, const detail::MemoryView& memory, const FileRange& range) const;

    std::shared_ptr<detail::io::OpenFile> file_;
};

}  // namespace CUBIND_NAMESPACE
