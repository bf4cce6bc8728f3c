// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "logs/questions.hpp"

#include <cubind/driver/loading.hpp>
#include <cubind/entry_point.hpp>

#include <algorithm>
#include <cstdint>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "question.hpp"

namespace answers {

namespace {

using Status = cubind::Result<CUresult>;

constexpr std::size_t whole_log = 25601;

template <class Signature, class Wrapper>
Signature* raw(Wrapper* wrapper) {
    return reinterpret_cast<Signature*>(
        cubind::address_of(*cubind::driver::entry_point_of(reinterpret_cast<void (*)()>(wrapper))));
}

// A failed call that every driver explains.
void fail() {
    raw<CUresult(CUlogIterator*, unsigned)>(cuLogsCurrent)(nullptr, 0);
}

// Returns the lines from the position on.
std::vector<std::string> lines_from(CUlogIterator position) {
    std::string text(whole_log, '\0');
    const auto read = cuLogsDumpToMemory(position, text.data(), text.size(), 0);
    text.resize(read.ok() ? read.value2 : 0);
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

// Describes the format of a line: digits become 9, and the numbers of this thread become their origin.
std::string format_of(std::string line) {
    const auto replace = [&](const std::string& number, const std::string& name) {
        if (const std::size_t at = line.find('[' + number + ']'); at != std::string::npos)
            line.replace(at + 1, number.size(), name);
    };
    replace(std::to_string(static_cast<std::uintptr_t>(pthread_self())), "pthread_self");
    replace(std::to_string(static_cast<long>(gettid())), "gettid");
    const std::size_t end = std::min(line.find(' '), line.size());
    std::replace_if(
        line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c >= '0' && c <= '9'; }, '9');
    return line;
}

struct Received {
    int count = 0;
    int on_other_threads = 0;
    std::string first;
    bool has_nul = true;
    std::thread::id thread = std::this_thread::get_id();
};

void receive(void* data, CUlogLevel, char* message, std::size_t length) {
    auto& received = *static_cast<Received*>(data);
    if (received.count++ == 0) received.first.assign(message, length);
    received.has_nul = received.has_nul && message[length] == '\0';
    received.on_other_threads += std::this_thread::get_id() != received.thread;
}

}  // namespace

void ask_about_positions() {
    cuInit(0);
    const auto current = raw<CUresult(CUlogIterator*, unsigned)>(cuLogsCurrent);
    const auto dump = raw<CUresult(CUlogIterator*, char*, std::size_t*, unsigned)>(cuLogsDumpToMemory);
    const auto to_file = raw<CUresult(CUlogIterator*, const char*, unsigned)>(cuLogsDumpToFile);
    char buffer[64] = "untouched";
    ask("cuLogsCurrent(nullptr, 0)", [&] { return Status{current(nullptr, 0)}; });
    ask("cuLogsDumpToMemory(nullptr, nullptr, &size, 0)", [&] {
        std::size_t size = sizeof buffer;
        return Status{dump(nullptr, nullptr, &size, 0)};
    });
    ask("cuLogsDumpToMemory(nullptr, buffer, nullptr, 0)", [&] { return Status{dump(nullptr, buffer, nullptr, 0)}; });
    ask("cuLogsDumpToFile(nullptr, nullptr, 0)", [&] { return Status{to_file(nullptr, nullptr, 0)}; });
    ask("cuLogsDumpToFile(nullptr, missing folder, 0)", [&] { return Status{to_file(nullptr, "/no/such/folder/log", 0)}; });
    ask("cuLogsDumpToFile(nullptr, /dev/null, 0)", [&] { return Status{to_file(nullptr, "/dev/null", 0)}; });
    const CUlogIterator end = cuLogsCurrent(0).value;
    std::size_t size = sizeof buffer;
    CUlogIterator position = end;
    ask("cuLogsDumpToMemory(end, buffer, 64, 0)", [&] { return Status{dump(&position, buffer, &size, 0)}; });
    report("its size", size);
    report("its text", std::string(buffer).c_str());
    report("its position - end", position - end);
    size = 0;
    ask("cuLogsCurrent(1)", [] { return Status{cuLogsCurrent(1).status}; });
    ask("cuLogsDumpToMemory(end, buffer, 64, 1)",
        [&] { return Status{cuLogsDumpToMemory(end, buffer, sizeof buffer, 1).status}; });
    ask("cuLogsDumpToMemory(9999, buffer, 64, 0)",
        [&] { return Status{cuLogsDumpToMemory(9999, buffer, sizeof buffer, 0).status}; });
    ask("cuLogsDumpToFile(end, /dev/null, 1)", [&] { return Status{cuLogsDumpToFile(end, "/dev/null", 1).status}; });
    ask("cuLogsDumpToMemory(end, buffer, 0, 0)", [&] { return Status{dump(&position, buffer, &size, 0)}; });
    const CUlogIterator before = cuLogsCurrent(0).value;
    fail();
    const auto lines = lines_from(before);
    report("lines of a failed call", lines.size());
    report("positions of a failed call", cuLogsCurrent(0).value - before);
    for (const std::string& line : lines) report("line of a failed call", format_of(line).c_str());
    position = before;
    size = 20;
    ask("cuLogsDumpToMemory(end - messages, buffer, 20, 0)", [&] { return Status{dump(&position, buffer, &size, 0)}; });
    report("its size after a failure", size);
    report("its position - begin after a failure", position - before);
    std::string large(4096, '#');
    position = before;
    size = lines.empty() ? 0 : lines.back().size() + 80;
    ask("cuLogsDumpToMemory with room for one message", [&] { return Status{dump(&position, large.data(), &size, 0)}; });
    report("begins with a message", large[0] == '[');
}

void ask_about_limits() {
    cuInit(0);
    const CUlogIterator begin = cuLogsCurrent(0).value;
    for (int i = 0; i < 100; ++i) fail();
    const auto lines = lines_from(begin);
    report("lines of 100 failed calls", lines.size());
    report("the first one is a message", !lines.empty() && lines.front()[0] == '[');
    report("lines from a later position", lines_from(cuLogsCurrent(0).value + 5).size());
}

void ask_about_callbacks() {
    cuInit(0);
    Received received;
    const auto registered = raw<CUresult(CUlogsCallback, void*, CUlogsCallbackHandle*)>(cuLogsRegisterCallback);
    ASK(cuLogsRegisterCallback(nullptr, nullptr));
    const auto handle = ASK(cuLogsRegisterCallback(receive, &received)).value;
    fail();
    report("calls for a failed call", received.count);
    report("calls on other threads", received.on_other_threads);
    report("text", format_of(received.first).c_str());
    report("texts end with a NUL", received.has_nul);
    std::thread(fail).join();
    report("calls on other threads for a call of another thread", received.on_other_threads);
    ASK(cuLogsUnregisterCallback(handle));
    const int before = received.count;
    fail();
    report("calls after the removal", received.count - before);
    ask("cuLogsRegisterCallback(function, nullptr, nullptr)", [&] {
        static Received unused;
        return Status{registered(receive, &unused, nullptr)};
    });
    ASK(cuLogsUnregisterCallback(nullptr));
    ASK(cuLogsUnregisterCallback(handle));
}

void ask_about_faults() {
    cuInit(0);
    cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value);
    const auto stream = cuStreamCreate(0).value;
    CUlogIterator begin = cuLogsCurrent(0).value;
    cuMemAlloc(0);
    for (const std::string& line : lines_from(begin)) report("cuMemAlloc(0)", format_of(line).c_str());
    const auto module = cuModuleLoadData(R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry crash() { .reg .u64 %a; mov.u64 %a, 64; st.global.u32 [%a], 1; ret; }
.visible .entry wait() {
    .reg .u64 %now, %end; .reg .pred %p;
    mov.u64 %end, %globaltimer; add.u64 %end, %end, 50000000;
again: mov.u64 %now, %globaltimer; setp.lt.u64 %p, %now, %end; @%p bra again; ret;
}
)")
                            .value;
    const auto wait = cuModuleGetFunction(module, "wait").value;
    begin = cuLogsCurrent(0).value;
    cuLaunchKernel(wait, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
    cuStreamQuery(stream);
    report("lines of a query of unfinished work", lines_from(begin).size());
    cuStreamSynchronize(stream);
    const auto crash = cuModuleGetFunction(module, "crash").value;
    begin = cuLogsCurrent(0).value;
    cuLaunchKernel(crash, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
    ASK(cuStreamSynchronize(stream));
    for (const std::string& line : lines_from(begin)) report("the wait after a fault", format_of(line).c_str());
    begin = cuLogsCurrent(0).value;
    ASK(cuMemAlloc(16));
    for (const std::string& line : lines_from(begin)) report("a later call", format_of(line).c_str());
}

}  // namespace answers
