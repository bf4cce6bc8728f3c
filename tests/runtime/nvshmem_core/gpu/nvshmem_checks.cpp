// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Each function runs in two processes, PE 0 and PE 1.
#include "nvshmem_checks.hpp"

#include <cubind/core.hpp>
#include <cubind/nvshmem_core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>

namespace cubind::testing {
namespace {

using namespace nvshmem;

constexpr std::size_t n = 1 << 16;

template <class Element>
bool are(const std::vector<Element>& values, Element expected) {
    return std::all_of(values.begin(), values.end(), [&](Element each) { return each == expected; });
}

template <class Exception, class Call>
void require_exception(const Call& call, const char* text) {
    try {
        call();
    } catch (const Exception& error) {
        require(std::strstr(error.what(), text) != nullptr, std::string(error.what()) + " does not have " + text);
        return;
    }
    require(false, std::string("nothing was thrown with ") + text);
}

template <class Element, ReductionKind kind>
void check_reduction(const Pe& pe, Reduction<kind> op, Element own0, Element own1, Element expected) {
    auto data = pe.allocate<Element>(n, pe.me == 0 ? own0 : own1);
    auto sums = pe.allocate<Element>(n, Element{});
    pe.session.world().all_reduce(pe.stream, sums, data, op);
    require(are(pe.values(sums), expected), "all_reduce " + std::to_string(static_cast<int>(kind)));
    auto part = pe.allocate<Element>(n / 2, Element{});
    pe.session.world().reduce_scatter(pe.stream, part, data, op);
    require(are(pe.values(part), expected), "reduce_scatter " + std::to_string(static_cast<int>(kind)));
    pe.session.world().all_reduce(pe.stream, data, op);
    require(are(pe.values(data), expected), "all_reduce in place");
    pe.session.world().barrier(pe.stream);
}

}  // namespace

std::vector<NvshmemCheck> nvshmem_checks() {
    return {{"transfers", check_transfers},
            {"many_elements", check_many_elements},
            {"signals", check_signals},
            {"atomics", check_atomics},
            {"graphs", check_graphs},
            {"collectives", check_collectives},
            {"teams", check_teams},
            {"memory_of_peers", check_memory_of_peers},
            {"registrations", check_registrations},
            {"small_heap", check_small_heap, {"NVSHMEM_DISABLE_CUDA_VMM=1", "NVSHMEM_SYMMETRIC_SIZE=64M"}},
            {"mistakes", check_mistakes},
            {"kernels", check_kernels},
            {"shared_device", check_shared_device}};
}

void check_transfers() {
    const Pe pe;
    require(pe.session.n_pes() == 2 && pe.device.ordinal() == pe.me, "number or device");
    const Team& world = pe.session.world();
    auto inbox = pe.allocate<float>(n, -1.0f);
    auto own = pe.device.allocate<float>(pe.stream, n);
    own.fill(pe.stream, static_cast<float>(pe.me + 1));
    for (const auto mode : {Session::Mode::in_order, Session::Mode::beside}) {
        inbox.fill(pe.stream, -1.0f);
        world.barrier(pe.stream);
        pe.session.put(pe.stream, inbox.first(n - 1), own.first(n - 1), pe.other, mode);
        world.barrier(pe.stream);
        std::vector<float> values = pe.values(inbox);
        require(values.back() == -1.0f, "an element beyond those that were put");
        values.pop_back();
        require(are(values, static_cast<float>(pe.other + 1)), "put");
    }
    auto back = pe.device.allocate<float>(pe.stream, n - 1);
    for (const auto mode : {Session::Mode::in_order, Session::Mode::beside}) {
        back.fill(pe.stream, 0.0f);
        pe.session.get(pe.stream, back, inbox.first(n - 1), pe.other, mode);  // what I have put there
        pe.session.quiet(pe.stream);
        require(are(pe.values(back), static_cast<float>(pe.me + 1)), "get");
    }
    pe.session.put(pe.stream, inbox.first(0), own.first(0), pe.other);
    world.barrier(pe.stream);

    auto grid = pe.allocate<int>(64, 0);
    auto numbers = pe.device.allocate<int>(pe.stream, 64);
    std::vector<int> row(64);
    std::iota(row.begin(), row.end(), 100 * pe.me);
    copy(pe.stream, numbers, row);
    pe.session.put(pe.stream, grid, numbers, 16, {.destination = 4, .source = 2}, pe.other);
    world.barrier(pe.stream);
    const std::vector<int> received = pe.values(grid);
    for (std::size_t i = 0; i < 64; ++i) {
        const int expected = i % 4 == 0 ? 100 * pe.other + static_cast<int>(i) / 2 : 0;
        require(received[i] == expected, "put with strides, element " + std::to_string(i) + " is " + std::to_string(received[i]));
    }
    pe.session.get(pe.stream, numbers, grid, 16, {.destination = 1, .source = 4}, pe.other);
    const std::vector<int> fetched = pe.values(numbers);
    for (std::size_t i = 0; i < 16; ++i) require(fetched[i] == 100 * pe.me + 2 * static_cast<int>(i), "get with strides");
    pe.session.quiet();
    pe.session.fence();
    world.sync(pe.stream);
    pe.stream.synchronize();
    world.sync();
}

void check_many_elements() {
    const Pe pe;
    constexpr std::size_t many = (std::size_t{1} << 31) + 1000;
    auto inbox = pe.allocate<std::uint8_t>(many, std::uint8_t{0});
    auto own = pe.device.allocate<std::uint8_t>(pe.stream, many);
    own.fill(pe.stream, static_cast<std::uint8_t>(pe.me + 7));
    pe.session.put(pe.stream, inbox, own, pe.other);
    pe.session.world().barrier(pe.stream);
    for (const std::size_t at : {std::size_t{0}, many / 2, std::size_t{1} << 31, many - 1})
        require(inbox.get(pe.stream, at) == pe.other + 7, "element " + std::to_string(at));
}

void check_signals() {
    const Pe pe;
    auto inbox = pe.allocate<int>(n, 0);
    auto own = pe.device.allocate<int>(pe.stream, n);
    auto signals = pe.allocate<std::uint64_t>(2, std::uint64_t{0});
    const auto arrived = signals.first(1), count = signals.last(1);
    for (int round = 1; round <= 5; ++round) {
        const auto mode = round % 2 == 0 ? Session::Mode::beside : Session::Mode::in_order;
        own.fill(pe.stream, 10 * round + pe.me);
        pe.session.put_signal(pe.stream, inbox, own, arrived, static_cast<std::uint64_t>(round), SignalOperation::set, pe.other,
                              mode);
        pe.session.wait_signal(pe.stream, arrived, Comparison::equal, static_cast<std::uint64_t>(round));
        require(are(pe.values(inbox), 10 * round + pe.other), "put with signal");
        pe.session.world().barrier(pe.stream);
    }
    for (int i = 0; i < 3; ++i) pe.session.signal(pe.stream, count, 2, SignalOperation::add, pe.other);
    pe.session.wait_signal(pe.stream, count, Comparison::greater_or_equal, 6);
    require(signals.get(pe.stream, 1) == 6, "added signals: " + std::to_string(signals.get(pe.stream, 1)));
    pe.session.world().barrier(pe.stream);  // the next signal replaces the value that the other PE reads here
    pe.session.put_signal(pe.stream, inbox.first(0), own.first(0), count, 9, SignalOperation::set, pe.other);
    pe.session.wait_signal(pe.stream, count, Comparison::equal, 9);
    pe.stream.synchronize();

    auto number = pe.allocate<int>(1, 5);
    auto value = pe.device.allocate<int>(pe.stream, 1);
    value.fill(pe.stream, -3);
    pe.session.put(pe.stream, number, value, pe.other);
    pe.session.wait_until(pe.stream, number, Comparison::less, 0);
    require(number.get(pe.stream, 0) == -3, "wait_until");
    pe.session.world().barrier(pe.stream);
}

void check_atomics() {
    const Pe pe;
    auto counter = pe.allocate<int>(1, 0);
    auto total = pe.allocate<double>(1, 0.0);
    auto bits = pe.allocate<std::uint64_t>(1, std::uint64_t{0});
    constexpr int rounds = 500;
    for (int i = 0; i < rounds; ++i) {
        atomic_add(pe.session, pe.stream, counter, 1, 0);  // both to PE 0
        atomic_add(pe.session, pe.stream, total, 0.5, 0);
    }
    atomic_or(pe.session, pe.stream, bits, std::uint64_t{1} << (40 + pe.me), 1);
    pe.session.world().barrier(pe.stream);
    auto old = pe.device.allocate<int>(pe.stream, 1);
    atomic_fetch(pe.session, pe.stream, old, counter, 0);
    require(old.get(pe.stream, 0) == 2 * rounds, "counter");
    auto sum = pe.device.allocate<double>(pe.stream, 1);
    atomic_fetch(pe.session, pe.stream, sum, total, 0);
    require(sum.get(pe.stream, 0) == rounds, "sum");
    if (pe.me == 1) require(bits.get(pe.stream, 0) == std::uint64_t{3} << 40, "bits");
    pe.session.world().barrier(pe.stream);
    atomic_compare_swap(pe.session, pe.stream, old, counter, 2 * rounds, -1, 0);  // one of both succeeds
    pe.session.world().barrier(pe.stream);
    auto first = pe.allocate<int>(2, 0);
    auto seen = pe.device.allocate<int>(pe.stream, 1);
    copy(pe.stream, seen, old);
    pe.session.put(pe.stream, first.subspan(static_cast<std::size_t>(pe.me), 1), seen, 0);
    pe.session.world().barrier(pe.stream);
    if (pe.me == 0) {
        auto both = pe.values(first);
        std::sort(both.begin(), both.end());
        require(both == std::vector<int>{-1, 2 * rounds},
                "compare and swap: " + std::to_string(both[0]) + " and " + std::to_string(both[1]));
    }
    pe.session.world().barrier(pe.stream);
}

void check_graphs() {
    const Pe pe;
    auto inbox = pe.allocate<int>(n, 0);
    auto own = pe.device.allocate<int>(pe.stream, n);
    std::optional<Graph> graph;
    {
        GraphBuilder builder(pe.device);
        builder.begin_building();
        pe.session.put(builder, inbox, own, pe.other);
        builder.end_building();
        graph = builder.complete();
    }
    for (int round = 1; round <= 3; ++round) {
        own.fill(pe.stream, 10 * round + pe.me);
        graph->launch(pe.stream);
        pe.session.world().barrier(pe.stream);
        require(are(pe.values(inbox), 10 * round + pe.other), "a transfer in a graph");
        pe.session.world().barrier(pe.stream);
    }
    graph.reset();
}

void check_collectives() {
    const Pe pe;
    check_reduction<float>(pe, sum, 1.5f, 2.0f, 3.5f);
    check_reduction<double>(pe, product, 1.5, 2.0, 3.0);
    check_reduction<int>(pe, min, -4, 3, -4);
    check_reduction<std::uint8_t>(pe, max, std::uint8_t{200}, std::uint8_t{3}, std::uint8_t{200});
    check_reduction<std::uint64_t>(pe, bit_and, std::uint64_t{7} << 40, std::uint64_t{5} << 40, std::uint64_t{5} << 40);
    check_reduction<std::int16_t>(pe, bit_or, std::int16_t{8}, std::int16_t{3}, std::int16_t{11});
    check_reduction<std::int64_t>(pe, bit_xor, std::int64_t{-1}, std::int64_t{1}, std::int64_t{-2});

    const Team& world = pe.session.world();
    auto part = pe.allocate<double>(n, static_cast<double>(pe.me + 1));
    auto all = pe.allocate<double>(2 * n, 0.0);
    world.all_gather(pe.stream, all, part);
    std::vector<double> values = pe.values(all);
    for (std::size_t i = 0; i < 2 * n; ++i) require(values[i] == (i < n ? 1.0 : 2.0), "all_gather");
    world.broadcast(pe.stream, all.first(n), part, 1);
    values = pe.values(all);
    require(values[0] == 2.0 && values[n - 1] == 2.0, "broadcast");
    struct Three {
        char bytes[3];
    };
    auto triples = pe.allocate<Three>(4, {});
    auto exchanged = pe.allocate<Three>(4, {});
    const char own = static_cast<char>('a' + pe.me);
    const std::vector<Three> mine(4, Three{{own, own, own}});
    copy(pe.stream, triples, mine);
    world.all_to_all(pe.stream, exchanged, triples);
    const std::vector<Three> received = pe.values(exchanged);
    require(received[1].bytes[2] == 'a' && received[2].bytes[0] == 'b' && received[3].bytes[1] == 'b', "all_to_all of 3 bytes");
    world.barrier(pe.stream);
}

void check_teams() {
    const Pe pe;
    const Team& world = pe.session.world();
    require(pe.session.shared().n_pes() == 2 && pe.session.node().n_pes() == 2, "teams of the host");
    auto data = pe.allocate<int>(n, pe.me + 1);
    {
        const Team both = world.split_strided(0, 1, 2);
        require(both.my_pe() == pe.me && both.n_pes() == 2, "split_strided");
        both.all_reduce(pe.stream, data);
        require(are(pe.values(data), 3), "all_reduce of a team");
        both.barrier(pe.stream);
        pe.stream.synchronize();
    }
    const Team one = world.split_strided(1, 1, 1);
    require(one.is_closed() == (pe.me == 0), "a team of PE 1");
    if (pe.me == 1) {
        require(one.translate(0, world) == 1 && world.translate(0, one) == std::nullopt, "translate");
    }
    auto grid = world.split_2d(1);
    require(grid.row.n_pes() == 1 && grid.column.n_pes() == 2 && grid.column.my_pe() == pe.me, "split_2d");
    grid.column.barrier();
    pe.session.world().barrier();
}

void check_memory_of_peers() {
    const Pe pe;
    auto inbox = pe.allocate<float>(n, 0.0f);
    const auto there = pe.session.peer(inbox, pe.other);
    require(there.has_value(), "the device cannot access the other one's memory");
    const std::vector<float> own(n, static_cast<float>(pe.me + 3));
    copy(pe.stream, *there, own);
    pe.stream.synchronize();
    pe.session.world().barrier();
    require(are(pe.values(inbox), static_cast<float>(pe.other + 3)), "a copy to a peer");
    require(pe.session.peer(inbox, pe.me)->data() == inbox.span().data(), "the own view");
    require(!pe.session.world().multicast(inbox.span()), "multicast was not disabled");
    auto larger = inbox.clone(pe.stream);
    require(are(pe.values(larger), static_cast<float>(pe.other + 3)), "a clone");
    pe.session.world().barrier();
}

void check_registrations() {
    const Pe pe;
    const auto external = VirtualMemoryResource::for_communication(pe.device);
    constexpr std::size_t size = std::size_t{1} << 29;  // a multiple of each granularity
    auto own = external.allocate<int>(pe.stream, size / sizeof(int));
    own.fill(pe.stream, -1);
    pe.stream.synchronize();
    {
        SymmetricMemory<int> shared(pe.session, own.span());
        auto source = pe.device.allocate<int>(pe.stream, n);
        const RegisteredMemory registered(pe.session, source);
        source.fill(pe.stream, pe.me + 5);
        pe.session.put(pe.stream, shared.span().first(n), source, pe.other);
        pe.session.world().barrier(pe.stream);
        require(own.get(pe.stream, n - 1) == pe.other + 5 && own.get(pe.stream, n) == -1, "memory of another resource");
        shared.close();
    }
    pe.session.world().barrier();
}

void check_small_heap() {
    const Pe pe;
    auto first = pe.allocate<std::byte>(1 << 20, std::byte{1});
    require_exception<OutOfMemory>([&] { static_cast<void>(pe.memory.allocate(pe.stream, std::size_t{1} << 30)); },
                                   "NVSHMEM_SYMMETRIC_SIZE is \"64M\"");
    auto second = pe.allocate<std::byte>(1 << 20, std::byte{2});  // the heap still works
    require(second.get(pe.stream, 0) == std::byte{2}, "memory after a failure");
    pe.session.world().barrier();
}

void check_mistakes() {
    const Pe pe;
    auto heap = pe.allocate<int>(n, 0);
    auto own = pe.device.allocate<int>(pe.stream, n);
    require_exception<std::invalid_argument>([&] { pe.session.put(pe.stream, own, heap, pe.other); }, "symmetric heap");
    require_exception<std::invalid_argument>([&] { pe.session.world().all_reduce(pe.stream, heap, own); }, "symmetric heap");
    require_exception<std::invalid_argument>([&] { pe.session.put(pe.stream, heap, own, 2); }, "PE is 2");
    require_exception<std::invalid_argument>([&] { static_cast<void>(Session::from_environment()); }, "one in a process");
    pe.session.world().barrier();
}

void check_shared_device() {
    ::setenv("CUBIND_LOCAL_RANK", "0", 1);
    require_exception<std::invalid_argument>([] { static_cast<void>(Session::from_environment()); }, "one rank a GPU");
}

}  // namespace cubind::testing
