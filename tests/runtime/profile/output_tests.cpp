// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Tables, CSV, JSON and traces, read again by an independent reader: Python's.
#include <cubind/profile/outputs.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

#include "made_records.hpp"

namespace cubind::testing {
namespace {

using namespace profile;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view wild = "a \"quoted\", name\nof two lines\t\xff\\ \x01 \xc3\xa4";

// A step of a program: a call in a range launches two kernels that overlap, and copies.
Recording step() {
    Records records;
    records.start = at(1000);
    records.end = at(1'000'000);
    auto kernel = timed<KernelRecord>(3000, 5500, 1);
    kernel.name = kernel.symbol = wild;
    kernel.stream = 7;
    kernel.grid = {2, 1, 1};
    auto second = kernel;
    second.start = at(4000), second.end = at(7000), second.name = "second";
    records.kernels = {kernel, second};
    auto copy = timed<CopyRecord>(8000, 9000, 2);
    copy.bytes = 3000, copy.direction = CopyDirection::host_to_device, copy.stream = 7;
    records.copies = {copy};
    auto launch = timed<ApiRecord>(2000, 2500, 1);
    launch.name = "cuGraphLaunch", launch.thread = 12;
    auto copying = timed<ApiRecord>(2600, 2700, 2);
    copying.name = "cuMemcpyAsync", copying.thread = 12;
    records.calls = {launch, copying};
    auto range = timed<RangeRecord>(1500, 9500);
    range.name = wild, range.thread = 12;
    auto mark = timed<RangeRecord>(1600, 1600);
    mark.name = "mark", mark.thread = 12, mark.is_mark = true, mark.payload = 0.5;
    records.ranges = {range, mark};
    auto memory = timed<MemoryRecord>(1100, 1100);
    memory.address = 64, memory.bytes = 4096;
    auto release = memory;
    release.start = release.end = at(9900), release.is_release = true;
    records.memory_operations = {memory, release};
    records.dropped.by_cupti = 2;
    records.notes = {"a \"note\""};
    return Recording(std::move(records));
}

// Returns what a Python program prints that reads the text from a file.
std::string python(const std::string& text, const std::string& program) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("profile_output." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "in", std::ios::binary) << text;
    std::ofstream(folder / "run.py") << "import csv, json, sys\nfile = open(sys.argv[1], encoding='utf-8', newline='')\n"
                                     << program;
    const std::string command = "python3 " + (folder / "run.py").string() + " " + (folder / "in").string() + " 2>&1";
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    std::string out;
    std::array<char, 4096> part;
    for (std::size_t count; (count = std::fread(part.data(), 1, part.size(), pipe)) > 0;) out.append(part.data(), count);
    EXPECT_EQ(::pclose(pipe), 0) << out;
    std::filesystem::remove_all(folder);
    return out;
}

TEST(ProfileOutputTest, AlignsTables) {
    const std::string text = table(step());
    EXPECT_THAT(text, HasSubstr("kernels: 2 in 5.500 us\n"));
    EXPECT_THAT(text, HasSubstr("54.5 %  3.000 us      1  3.000 us  3.000 us  3.000 us  3.000 us  second\n"));
    EXPECT_THAT(text, HasSubstr("a \"quoted\", name of two lines \xc3\xbf\\   \xc3\xa4\n"));
    EXPECT_THAT(text, HasSubstr("2 records are missing: CUPTI"));
    EXPECT_THAT(text, HasSubstr("a \"note\"\n"));
    EXPECT_THAT(table(step(), Subject::copies), HasSubstr("3.00 GB/s  host to device\n"));
    const std::string one = table(step(), Subject::kernels, {.max_rows = 1, .max_width = 10});
    EXPECT_THAT(one, HasSubstr("1 more names\n"));
    EXPECT_THAT(one, Not(HasSubstr("quoted")));
}

TEST(ProfileOutputTest, ShortensNames) {
    Records records;
    auto kernel = timed<KernelRecord>(0, 12);
    const std::string name(300, 'x');
    kernel.name = name;
    records.kernels = {kernel};
    const std::string text = table(Recording(std::move(records)), Subject::kernels, {.max_width = 90});
    EXPECT_THAT(text, HasSubstr("xxx...\n"));
    EXPECT_THAT(text, HasSubstr("12 ns"));
    for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) EXPECT_LE(end - begin, 90u);
}

TEST(ProfileOutputTest, WritesCsvThatOthersRead) {
    EXPECT_EQ(python(csv(step()), R"(
rows = list(csv.DictReader(file))
print(len(rows), rows[0]["name"] == 'a "quoted", name\nof two lines\t\xff\\ \x01 \xe4', rows[0]["start_ns"], rows[0]["duration_ns"],
      rows[1]["name"], rows[0]["grid_x"], rows[1]["range"] == rows[0]["name"], set(map(len, rows)))
)"),
              "2 True 2000 2500 second 2 True {25}\n");
    EXPECT_EQ(python(summary_csv(step()), R"(
rows = list(csv.reader(file))
print(rows[0]); print(rows[1])
)"),
              "['name', 'count', 'total_ns', 'mean_ns', 'median_ns', 'min_ns', 'max_ns', 'part', 'bytes']\n"
              "['second', '1', '3000', '3000', '3000', '3000', '3000', '0.5454545454545454', '0']\n");
    for (const Subject each : {Subject::copies, Subject::fills, Subject::calls, Subject::synchronizations, Subject::ranges})
        EXPECT_THAT(csv(step(), each), HasSubstr("start_ns,duration_ns,process")) << to_string(each);
}

TEST(ProfileOutputTest, WritesJsonThatOthersRead) {
    EXPECT_EQ(python(json(step()), R"(
data = json.load(file)
print(data["duration_ns"], data["dropped"], data["notes"], [len(data[each]) for each in
      ("kernels", "copies", "fills", "memory_operations", "calls", "synchronizations", "ranges")])
print(data["kernels"][0]["name"] == 'a "quoted", name\nof two lines\t\xff\\ \x01 \xe4', data["ranges"][1]["payload"], data["ranges"][1]["is_mark"],
      data["kernels"][0]["range"] == data["ranges"][0]["name"], data["copies"][0]["bytes"])
)"),
              "999000 {'by_cupti': 2, 'by_limit': 0, 'incomplete': 0} ['a \"note\"'] [2, 1, 0, 2, 2, 0, 2]\nTrue 0.5 True "
              "True 3000\n");
}

// Kernels that overlap are in rows of their own, arrows lead from slices to slices, and memory has a curve.
TEST(ProfileOutputTest, WritesTracesThatOthersRead) {
    EXPECT_EQ(python(chrome_trace(step()), R"(
events = json.load(file)["traceEvents"]
rows = {}
for each in events:
    if each["ph"] == "X": rows.setdefault((each["pid"], each["tid"]), []).append(each)
names = {(each["pid"], each["tid"]): each["args"]["name"] for each in events if each["ph"] == "M" and each["name"] == "thread_name"}
for row, slices in rows.items():
    print(names[row], [(each["ts"], each["dur"], each["name"][:6]) for each in slices])
starts = {each["id"]: each for each in events if each["ph"] == "s"}
ends = {each["id"]: each for each in events if each["ph"] == "f"}
def inside(half): return any(each["ts"] <= half["ts"] <= each["ts"] + each["dur"] for each in rows[half["pid"], half["tid"]])
print(len(starts), starts.keys() == ends.keys(), all(map(inside, [*starts.values(), *ends.values()])))
print([each["args"]["bytes"] for each in events if each["ph"] == "C"], [each["name"] for each in events if each["ph"] == "i"],
      sorted(each["args"]["name"] for each in events if each["name"] == "process_name"))
)"),
              "thread 12 [(0.5, 8.0, 'a \"quo'), (1.0, 0.5, 'cuGrap'), (1.6, 0.1, 'cuMemc')]\n"
              "stream 7 (context 0 of process 4711) [(2.0, 2.5, 'a \"quo'), (7.0, 1.0, 'copy h')]\n"
              "stream 7 (context 0 of process 4711) (2) [(3.0, 3.0, 'second')]\n"
              "3 True True\n"
              "[4096, 0] ['mark'] ['GPU 0', 'process 4711']\n");
}

TEST(ProfileOutputTest, WritesRecordingsWithoutRecords) {
    const Recording none;
    EXPECT_EQ(table(none), "kernels: none was recorded\n");
    EXPECT_EQ(python(json(none), "print(json.load(file)['kernels'])"), "[]\n");
    EXPECT_EQ(python(chrome_trace(none), "print(json.load(file)['traceEvents'])"), "[]\n");
    EXPECT_EQ(python(csv(none), "print(len(list(csv.reader(file))))"), "1\n");
    EXPECT_EQ(python(summary_csv(none), "print(len(list(csv.reader(file))))"), "1\n");
}

// The limit of the file size acts like a full disk, and keeps the file that is there.
TEST(ProfileOutputTest, LeavesNoHalfFile) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("profile_full." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::string path = folder / "trace.json";
    std::ofstream(path) << "old";
    std::signal(SIGXFSZ, SIG_IGN);
    ::rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const ::rlimit small{100, limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    std::string message;
    try {
        write_chrome_trace(step(), path);
    } catch (const std::system_error& error) {
        message = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &limit);
    EXPECT_THAT(message, HasSubstr(path));
    EXPECT_THAT(message, HasSubstr("write_chrome_trace"));
    std::string content;
    std::ifstream(path) >> content;
    EXPECT_EQ(content, "old");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
    write_json(step(), path);
    write_csv(step(), path + ".csv");
    EXPECT_EQ(std::filesystem::file_size(path), json(step()).size());
    EXPECT_THROW(write_json(step(), folder / "missing" / "x.json"), std::system_error);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cubind::testing
