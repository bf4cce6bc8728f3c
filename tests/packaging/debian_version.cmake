# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Runs debian_version.py on what CPack has installed.
list(GET CUBIND_TEST_VERSIONS 0 before)
list(GET CUBIND_TEST_VERSIONS 1 after)
execute_process(COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/debian_version.py ${CPACK_TEMPORARY_DIRECTORY} ${before} ${after}
    COMMAND_ERROR_IS_FATAL ANY)
