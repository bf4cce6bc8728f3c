// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// instance: gather<float, 3>
// instance: read<Traits<int>>

template <class T, int N>
struct Pack {
    T values[N];
};
template <class T>
struct Traits {
    using value = T;
    struct State {
        value last;
        int count;
    };
};
template <class T, int N>
__global__ void gather(T* out, Pack<T, N> pack) { *out = pack.values[N - 1]; }
template <class Trait>
__global__ void read(typename Trait::value* out, typename Trait::State state) { *out = state.last + state.count; }
