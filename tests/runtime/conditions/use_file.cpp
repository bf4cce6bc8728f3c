// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/file.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

#include "cufile_stand_in.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_file(const std::string& folder) {
    constexpr std::size_t size = 3 * 4096;
    static const ScopedCufileStandIn stand_in;  // files are released after their transfers
    const Device device;
    const Stream stream(device);
    auto buffer = device.allocate<unsigned char>(stream, size);
    fill(stream, buffer, static_cast<unsigned char>(7));
    for (const FileRoute route : {FileRoute::posix, FileRoute::gpu_direct}) {
        stream.synchronize();  // also for the transfer that the previous route has dropped
        const File file(folder + "/data", {.write = true, .create = true, .route = route, .chunk_size = 4096, .chunk_count = 2});
        require(file.write(buffer).bytes == size, "a write is complete");
        FileBatch batch(2);
        batch.read(file, buffer, {.size = 4096});
        batch.submit();
        require(batch.wait(std::chrono::seconds(60)), "a batch ends");
        const FileTransfer read = file.read_async(stream, buffer), dropped = file.read_async(stream, buffer);
        read.wait();
        require(read.result().bytes == size, "a read in a stream is complete");
    }
    std::vector<unsigned char> values(size);
    copy(stream, values, buffer);
    stream.synchronize();
    require(values == std::vector<unsigned char>(size, 7), "what was written is read");
}

}  // namespace cubind::testing
