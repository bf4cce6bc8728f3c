// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Processes a file on the device, block by block: while a kernel adds the numbers of one block, the next blocks are read. With
// GPUDirect Storage, the data bypasses the memory of the host. Otherwise, it goes through pinned memory. The program prints which
// way it was, and how fast.
//
//     file_pipeline            creates a file of 64 MiB
//     file_pipeline FILE       reads this one

#include <cubind/core.hpp>
#include <cubind/file.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

using Word = std::uint64_t;
constexpr std::size_t block_words = std::size_t{1} << 20;  // 8 MiB
constexpr std::size_t slots = 3;

constexpr char source[] = R"(
    extern "C" __global__ void add_up(const unsigned long long* words, size_t count, unsigned long long* sum) {
        unsigned long long own = 0;
        for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) own += words[i];
        atomicAdd(sum, own);
    }
)";

// A file of numbers, which exists as long as the object.
class TemporaryFile {
public:
    explicit TemporaryFile(std::size_t words) : path(std::filesystem::temp_directory_path() / "file_pipeline.data") {
        std::vector<Word> content(words);
        for (std::size_t i = 0; i < words; ++i) content[i] = i * 0x9E3779B97F4A7C15;
        const File file(path, {.write = true, .create = true, .truncate = true});
        file.write(content);
        file.flush();
    }
    ~TemporaryFile() { std::filesystem::remove(path); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string path;
};

// A block of the file on the device, and the stream that reads and adds it.
struct Slot {
    explicit Slot(Device device) : stream(device), words(device.allocate<Word>(stream, block_words)) {}
    Stream stream;
    TypedBuffer<Word> words;
    FileTransfer transfer;
};

// The sum of all numbers, by the host.
Word sum_on_host(const File& file) {
    std::vector<Word> words(file.size() / sizeof(Word));
    file.read(words);
    Word sum = 0;
    for (const Word each : words) sum += each;
    return sum;
}

Word sum_on_device(const File& file, Device device, const Kernel& add_up, FileRoute& route) {
    const std::size_t count = file.size() / sizeof(Word);
    const Stream stream(device);
    auto sum = device.allocate<Word>(stream, 1);
    sum.fill(stream, std::byte{0});
    stream.synchronize();
    std::vector<Slot> all;
    for (std::size_t i = 0; i < slots; ++i) all.emplace_back(device);
    for (std::size_t begin = 0, i = 0; begin < count; begin += block_words, ++i) {
        Slot& slot = all[i % slots];
        const std::size_t words = std::min(block_words, count - begin);
        // The stream reads the block after its kernel has added the previous one. The other streams do the same meanwhile.
        slot.transfer =
            file.read_async(slot.stream, slot.words, {.file_offset = begin * sizeof(Word), .size = words * sizeof(Word)});
        launch(slot.stream, {.grid = 64, .block = 256}, add_up, slot.words, words, sum);
    }
    for (const Slot& slot : all) {
        slot.stream.synchronize();
        if (slot.transfer != FileTransfer()) route = slot.transfer.result().route;  // throws if the file could not be read
    }
    return sum.get(stream, 0);
}

int file_pipeline(const char* given) {
    const Device device;
    std::optional<TemporaryFile> temporary;
    if (given == nullptr) temporary.emplace(8 * block_words + 1000);
    const File file(given != nullptr ? given : temporary->path);
    if (!file.route_reason().empty()) std::printf("No GPUDirect Storage: %s.\n", file.route_reason().c_str());
    const Kernel add_up = Program(source).compile(CodeType::ptx).kernel("add_up");

    FileRoute route = file.route();
    static_cast<void>(sum_on_device(file, device, add_up, route));  // allocates what later transfers use again
    const auto begin = std::chrono::steady_clock::now();
    const Word sum = sum_on_device(file, device, add_up, route);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    std::printf("%llu bytes by the route %s, %.1f GB/s\n", static_cast<unsigned long long>(file.size()), to_string(route),
                static_cast<double>(file.size()) / time.count() / 1e9);
    return example::verdict(sum == sum_on_host(file), "the sum of the numbers is that of the host");
}

}  // namespace

int main(int argc, char** argv) {
    return example::run([&] { return file_pipeline(argc > 1 ? argv[1] : nullptr); });
}
