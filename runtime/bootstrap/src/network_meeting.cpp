// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <thread>

#include "connection.hpp"
#include "errors/misuse.hpp"
#include "meeting.hpp"

// The others connect to rank 0 and say who they are. When all have come, rank 0 answers each of them.

namespace CUBIND_NAMESPACE::detail::meeting {

using std::chrono::milliseconds;

namespace {

// Waits for a connection and what it says. A connection of another program is ignored, and returned without a descriptor.
Descriptor next_hello(int listener, milliseconds timeout, Hello& hello) {
    constexpr milliseconds patience{1000};
    Descriptor connection = accept_within(listener, timeout);
    std::string problem;
    if (!connection || !receive_within(connection.number(), &hello, sizeof hello, patience, problem) || hello.begin != magic)
        return {};
    return connection;
}

void send(const Descriptor& connection, const Answer& answer) noexcept {
    write_all(connection.number(), &answer, sizeof answer);  // a rank that has ended does not need it
}

Bootstrap::Id lead_at(const Attendance& self, const std::string& host, const std::string& port) {
    const Answer yes = accepted(self);  // before the others come, because the library may be missing
    std::string problem;
    Descriptor listener = listen_at(host, port, problem);
    if (!listener) {
        throw_unusable(self, concat("listening failed: ", problem,
                                    ": rank 0 must run on this host; name another port if one is in use, and start rank 0 once"));
    }
    Roll roll(self.own);
    std::vector<Descriptor> connections;
    std::string why;
    int largest = self.own.size;  // the greatest number of ranks that anyone expects
    while (why.empty() && !roll.is_complete() && time_to(self.deadline).count() > 0) {
        Hello hello;
        Descriptor connection = next_hello(listener.number(), time_to(self.deadline), hello);
        if (!connection) continue;
        why = roll.add(hello);
        largest = std::max(largest, hello.size);
        connections.push_back(std::move(connection));
    }
    const Answer answer = !why.empty() ? refused(Verdict::refused, why) : roll.is_complete() ? yes : late(self, roll);
    if (answer.verdict != Verdict::refused)
        listener = Descriptor();  // a connection for the next exchange must not come to this one
    for (const Descriptor& each : connections) send(each, answer);
    // Ranks that come later are told why, too.
    const Deadline end = std::chrono::steady_clock::now() + grace;
    for (int told = static_cast<int>(connections.size()) + 1; listener && told < largest && time_to(end).count() > 0;) {
        Hello hello;
        if (const Descriptor connection = next_hello(listener.number(), time_to(end), hello); connection) {
            send(connection, answer);
            ++told;
        }
    }
    return id_of(answer);
}

Bootstrap::Id follow_to(const Attendance& self, const std::string& host, const std::string& port) {
    std::string problem;
    bool is_final = false;
    Descriptor connection;
    do {
        connection = connect_within(host, port, time_to(self.deadline), problem, is_final);
        if (!connection) std::this_thread::sleep_for(std::min(milliseconds(20), time_to(self.deadline)));
    } while (!connection && !is_final && time_to(self.deadline).count() > 0);
    if (is_final) throw_unusable(self, problem);
    if (!connection) throw_no_answer(self, problem);
    Answer answer;
    const auto sent = write_all(connection.number(), &self.own, sizeof self.own);
    if (sent.error != 0 ||
        !receive_within(connection.number(), &answer, sizeof answer, time_to(self.deadline) + grace, problem)) {
        throw_no_answer(self, problem.empty() ? "the connection was closed" : problem);
    }
    if (answer.begin != magic) throw_unusable(self, "another program listens there: name another port");
    return id_of(answer);
}

}  // namespace

Bootstrap::Id meet_by_network(const Attendance& self, const std::string& host, const std::string& port) {
    return self.own.rank == 0 ? lead_at(self, host, port) : follow_to(self, host, port);
}

}  // namespace CUBIND_NAMESPACE::detail::meeting
