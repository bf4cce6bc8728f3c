// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Graphs, their nodes and their capture: all of <cubind/core/graph/...>.

#include <cubind/core/graph/allocation_node.hpp>
#include <cubind/core/graph/copy_batch_node.hpp>
#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/graph/graph.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_condition.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/graph/graph_memory_resource.hpp>
#include <cubind/core/graph/graph_node.hpp>
#include <cubind/core/graph/graph_position.hpp>
#include <cubind/core/graph/memory_operation_node.hpp>
