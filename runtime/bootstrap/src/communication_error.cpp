// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/bootstrap/communication_error.hpp>

#include <utility>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

namespace {

std::string place_text(const std::string& operation, const char* name_of_rank, int rank, const std::string& advice) {
    const std::string place = rank < 0 ? "" : detail::concat(" of ", name_of_rank, " ", rank);
    return detail::concat("This was ", operation, place, advice.empty() ? "." : ". ", advice);
}

}  // namespace

CommunicationError::CommunicationError(const Error& failure, std::string operation, const char* name_of_rank, int rank,
                                       const std::string& advice)
    : Error(failure, place_text(operation, name_of_rank, rank, advice)), operation_(std::move(operation)), rank_(rank) {}

}  // namespace CUBIND_NAMESPACE
