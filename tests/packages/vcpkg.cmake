# SPDX-License-Identifier: MIT OR Unlicense
#
# Runs the vcpkg port with stand-ins for vcpkg's own functions, which do what those are documented to do for one build
# type: cmake -DPORT=... -DCURRENT_PACKAGES_DIR=... -DBUILD=... -P vcpkg.cmake
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${ARGV}\n${text}")
    endif()
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(with "" "SOURCE_PATH" "OPTIONS" ${ARGN})
    run("${CMAKE_COMMAND}" -S "${with_SOURCE_PATH}" -B "${BUILD}" -DCMAKE_BUILD_TYPE=Debug
        "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" -DCMAKE_INSTALL_LIBDIR=lib ${with_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
    run("${CMAKE_COMMAND}" --build "${BUILD}" --target install)
endfunction()

function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(with "" "CONFIG_PATH" "" ${ARGN})
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${with_CONFIG_PATH}/kinematic-config.cmake")
        message(FATAL_ERROR "no package for CMake in ${with_CONFIG_PATH}")
    endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(with "" "" "FILE_LIST" ${ARGN})
    file(COPY ${with_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/kinematic")
endfunction()

include("${PORT}/portfile.cmake")
