// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/completion.hpp>
#include <cubind/file/file_transfer.hpp>

#include <stop_token>
#include <utility>

/// @file
/// Coroutines that wait for transfers of files. <cubind/file.hpp> does not include this header, because it takes long to compile.
namespace CUBIND_NAMESPACE {

namespace detail::io {

/// The state of a co_await expression, whose value is the result.
template <class Executor>
class TransferAwaiter : public CompletionAwaiter<FileTransfer, Executor> {
public:
    TransferAwaiter(const FileTransfer& transfer, Executor executor, std::stop_token stop)
        : CompletionAwaiter<FileTransfer, Executor>(transfer, std::move(executor), std::move(stop)), transfer_(transfer) {}

    FileResult await_resume() const {
        CompletionAwaiter<FileTransfer, Executor>::await_resume();
        return transfer_.result();
    }

private:
    FileTransfer transfer_;
};

}  // namespace detail::io

/// The end of a transfer, which a coroutine can await; see completion(). Can be copied; each co_await is a wait of its own.
template <class Executor>
class [[nodiscard]] TransferCompletion {
public:
    /// Used by completion().
    TransferCompletion(FileTransfer transfer, Executor executor, std::stop_token stop)
        : transfer_(std::move(transfer)), executor_(std::move(executor)), stop_(std::move(stop)) {}

    /// Suspends the coroutine until the transfer has ended.
    [[nodiscard]] detail::io::TransferAwaiter<Executor> operator co_await() const { return {transfer_, executor_, stop_}; }

private:
    FileTransfer transfer_;
    Executor executor_;
    std::stop_token stop_;
};

/// Returns an object whose co_await suspends the coroutine until the transfer has ended, and returns its FileResult. Other work
/// of the stream is not awaited. The executor, cancellation and destruction are those of completion() for streams.
///
///     FileResult result = co_await completion(file.read_async(stream, buffer), threads);
///
/// co_await throws FileError if the transfer fails, Error if earlier work of the stream fails, and std::system_error with
/// std::errc::operation_canceled if `stop` requests a stop before the end. A cancelled wait does not affect the transfer.
template <class Type>
requires detail::ExecutorArgument<Type> TransferCompletion<detail::StoredExecutor<Type>> completion(FileTransfer transfer,
                                                                                                    Type&& executor,
                                                                                                    std::stop_token stop = {}) {
    return {std::move(transfer), detail::StoredExecutor<Type>(std::forward<Type>(executor)), std::move(stop)};
}

}  // namespace CUBIND_NAMESPACE
