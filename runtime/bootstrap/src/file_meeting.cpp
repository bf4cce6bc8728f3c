// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "errors/misuse.hpp"
#include "meeting.hpp"
#include "platform/file.hpp"

// Rank 0 writes an invitation with a random number to the file. The others answer it in files of their own, whose names contain
// the number, and rank 0 replaces the invitation by its answer. So a file of an earlier run is harmless: its number is not that
// of a rank 0 which runs, and a rank that has answered it answers the next invitation, too.

namespace CUBIND_NAMESPACE::detail::meeting {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view draft_suffix = ".draft";

enum class Kind : std::uint32_t { invitation, answer };

/// The content of the file. The nonces of the ranks follow an answer, so that a rank which was started twice knows.
struct Notice {
    Magic begin = magic;
    std::uint64_t number = 0;  ///< the nonce of rank 0
    Kind kind = Kind::invitation;
    std::int32_t size = 0;
    Answer answer = {};
};

struct File {
    bool exists = false;
    bool is_valid = false;
    Notice notice;
    std::vector<std::uint64_t> nonces;
};

File read(const fs::path& path) {
    File file;
    std::ifstream stream(path, std::ios::binary);
    file.exists = stream.is_open();
    if (!stream.read(reinterpret_cast<char*>(&file.notice), sizeof file.notice) || file.notice.begin != magic) return file;
    for (std::uint64_t nonce; stream.read(reinterpret_cast<char*>(&nonce), sizeof nonce);) file.nonces.push_back(nonce);
    file.is_valid = true;
    return file;
}

class Meeting {
public:
    Meeting(const Attendance& self, const fs::path& path) : self_(self), path_(fs::absolute(path)) {}

    Bootstrap::Id lead();
    Bootstrap::Id follow();

private:
    // Returns the beginning of the names of files in which ranks answer the notice with this number.
    static std::string suffix_of(std::uint64_t number) {
        char text[24];
        std::snprintf(text, sizeof text, ".%016llx.", static_cast<unsigned long long>(number));
        return text;
    }
    fs::path hello_of(std::uint64_t number, int rank) const {
        return fs::path(path_) += suffix_of(number) + std::to_string(rank);
    }
    static fs::path second(fs::path hello) { return hello += ".twice"; }
    std::vector<fs::path> hellos() const;
    // Writes a file that other processes see as a whole. Returns false if it exists and must not.
    bool write(const fs::path& path, const std::string& content, bool may_replace) const;
    bool write(const fs::path& path, const Hello& hello) const {
        return write(path, std::string(reinterpret_cast<const char*>(&hello), sizeof hello), false);
    }
    void publish(const Notice& notice, const Roll& roll) const;
    std::string take(Roll& roll);
    void wait_for_readers(bool is_accepted);
    void say_hello(std::uint64_t number) const;
    static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

    const Attendance& self_;
    fs::path path_;
    std::set<fs::path> taken_;  // the files that rank 0 has read
};

bool Meeting::write(const fs::path& path, const std::string& content, bool may_replace) const {
    const fs::path draft = hello_of(self_.own.nonce, self_.own.rank) += draft_suffix;
    const auto file = create_file(draft.c_str(), 0600);
    const auto written = file ? write_all(file.number(), content.data(), content.size()) : Written{0, errno};
    if (written.error != 0 || written.bytes != content.size()) {
        const std::string why = std::generic_category().message(written.error);
        std::error_code ignored;
        fs::remove(draft, ignored);
        throw_unusable(
            self_, concat("writing ", draft.string(), " failed: ", why, ": name a path in a folder that all ranks can write"));
    }
    std::error_code error;
    may_replace ? fs::rename(draft, path, error) : fs::create_hard_link(draft, path, error);
    std::error_code ignored;
    fs::remove(draft, ignored);
    if (error == std::errc::file_exists) return false;
    if (error) throw_unusable(self_, concat("creating ", path.string(), " failed: ", error.message()));
    return true;
}

void Meeting::publish(const Notice& notice, const Roll& roll) const {
    std::string content(reinterpret_cast<const char*>(&notice), sizeof notice);
    for (const Hello& each : roll.entries()) content.append(reinterpret_cast<const char*>(&each.nonce), sizeof each.nonce);
    write(path_, content, true);
}

// Returns the files of ranks that have answered rank 0, also of ranks that do not exist.
std::vector<fs::path> Meeting::hellos() const {
    const std::string begin = path_.filename().string() + suffix_of(self_.own.nonce);
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator each(path_.parent_path(), error), end; !error && each != end; each.increment(error)) {
        const std::string name = each->path().filename().string();
        if (name.starts_with(begin) && !name.ends_with(draft_suffix)) found.push_back(each->path());
    }
    return found;
}

// Adds the ranks that have come. Returns why they are refused, or an empty text.
std::string Meeting::take(Roll& roll) {
    for (const fs::path& path : hellos()) {
        Hello hello;
        std::ifstream stream(path, std::ios::binary);
        if (!stream.read(reinterpret_cast<char*>(&hello), sizeof hello) || !taken_.insert(path).second) continue;
        if (std::string why = roll.add(hello); !why.empty()) return why;
    }
    return {};
}

// Keeps the answer until all have read it. A rank that the answer accepts removes its file when it has. To the others, rank 0
// says by the removal of their files that the answer is not one of an earlier run.
void Meeting::wait_for_readers(bool is_accepted) {
    std::error_code ignored;
    const Deadline end = is_accepted ? self_.deadline : std::chrono::steady_clock::now() + grace;
    if (!is_accepted) taken_.clear();
    while ((!is_accepted || !taken_.empty()) && time_to(end).count() > 0) {
        for (const fs::path& each : hellos()) {
            if (!taken_.contains(each)) fs::remove(each, ignored);
        }
        pause();
        std::erase_if(taken_, [&](const fs::path& each) { return !fs::exists(each, ignored); });
    }
    for (const fs::path& each : hellos()) fs::remove(each, ignored);
    fs::remove(path_, ignored);
}

Bootstrap::Id Meeting::lead() {
    const File earlier = read(path_);
    if (earlier.exists && !earlier.is_valid) {
        throw_unusable(self_, "the file exists and was not written by a Bootstrap: name another path");
    }
    const Answer yes = accepted(self_);  // before the invitation, because the library may be missing
    Roll roll(self_.own);
    Notice notice{.number = self_.own.nonce, .size = self_.own.size};
    publish(notice, roll);
    std::string why;
    while (why.empty() && !roll.is_complete() && time_to(self_.deadline).count() > 0) {
        pause();
        why = take(roll);
        if (why.empty() && read(path_).notice.number != self_.own.nonce) {
            throw std::invalid_argument(concat("Bootstrap: another process has replaced ", path_.string(),
                                               ": rank 0 was started twice, or another program uses the same meeting point"));
        }
    }
    notice.kind = Kind::answer;
    notice.answer = !why.empty() ? refused(Verdict::refused, why) : roll.is_complete() ? yes : late(self_, roll);
    publish(notice, roll);
    wait_for_readers(notice.answer.verdict == Verdict::accepted);
    return id_of(notice.answer);
}

void Meeting::say_hello(std::uint64_t number) const {
    const fs::path path = hello_of(number, self_.own.rank);
    if (write(path, self_.own)) return;
    write(second(path), self_.own);  // rank 0 tells all ranks
    throw std::invalid_argument(concat("Bootstrap: rank ", self_.own.rank, " was started twice: ", path.string(),
                                       " exists: give each process a rank of its own"));
}

Bootstrap::Id Meeting::follow() {
    std::uint64_t answered = 0;
    const auto remove_hello = [&] {
        std::error_code ignored;
        if (answered != 0) fs::remove(hello_of(answered, self_.own.rank), ignored);
    };
    try {
        for (; time_to(self_.deadline).count() > 0; pause()) {
            const File file = read(path_);
            const Notice& notice = file.notice;
            if (!file.is_valid) continue;
            if (notice.number != answered) {
                if (notice.kind == Kind::answer && notice.answer.verdict == Verdict::accepted) continue;  // of another exchange
                remove_hello();
                say_hello(notice.number);
                answered = notice.number;
            } else if (notice.kind == Kind::answer) {
                const auto own = static_cast<std::size_t>(self_.own.rank);
                const bool is_included = own < file.nonces.size() && file.nonces[own] == self_.own.nonce;
                if (!is_included && fs::exists(hello_of(answered, self_.own.rank))) continue;  // it may be of an earlier run
                if (!is_included && notice.answer.verdict == Verdict::accepted) {
                    throw std::invalid_argument(concat("Bootstrap: the other ranks have met without this process: rank ", own,
                                                       " was started twice, or with another number of ranks"));
                }
                const Bootstrap::Id id = id_of(notice.answer);
                remove_hello();
                return id;
            }
        }
        throw_no_answer(
            self_, answered == 0 ? "there is no invitation in the file" : "the file is of an earlier run, or rank 0 has ended");
    } catch (...) {
        remove_hello();
        throw;
    }
}

}  // namespace

Bootstrap::Id meet_by_file(const Attendance& self, const std::string& path) {
    Meeting meeting(self, path);
    return self.own.rank == 0 ? meeting.lead() : meeting.follow();
}

}  // namespace CUBIND_NAMESPACE::detail::meeting
