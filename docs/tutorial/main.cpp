// main.cpp
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>

#include "smoother.hpp"

int main(int count, char** radii) try {
    const std::vector<float> signal(std::istream_iterator<float>(std::cin), {});
    Smoother smoother;
    for (int i = 1; i < count; ++i) {
        for (const float value : smoother.smooth(signal, std::strtoul(radii[i], nullptr, 10))) std::printf("%g ", value);
        std::printf("\n");
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
