# SPDX-License-Identifier: MIT OR Unlicense
#
# An overlay port, which builds the sources it lies in:
#
#   vcpkg install kinematic --overlay-ports=tools/packaging/vcpkg
#
# A registry would give SOURCE_PATH by vcpkg_download_distfile and vcpkg_extract_source_archive, with the archive and the
# checksum of `make dist`.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DKINEMATIC_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/kinematic)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
