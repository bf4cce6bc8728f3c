// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

struct Particle {
    float position[3];
    float mass;
    Particle* next;
};
namespace physics {
struct alignas(16) Cell {
    Particle particles[2];
    unsigned char count;
    double matrix[2][3];
    struct Bounds {
        int low, high;
    } bounds;
};
}
__global__ void move(Particle particle, physics::Cell cell, const physics::Cell* cells, physics::Cell::Bounds bounds) {}
