# The toolchain of the preset `windows`: Debian's cross compiler for 64-bit Windows, the libraries that
# cmake/windows/build_parts.sh builds into build/windows-parts/prefix (`./dev portability windows` does this), and Wine to run
# what is built.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

cmake_path(SET OCTAVO_WINDOWS_PARTS NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../build/windows-parts/prefix)
set(CMAKE_FIND_ROOT_PATH ${OCTAVO_WINDOWS_PARTS} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# GCC keeps vectors of 32 and 64 bytes on the stack as if it were aligned for them, which Windows does not promise
# (gcc.gnu.org/PR54412): an access ends the program. So the assembler writes each aligned move as an unaligned one, which
# is as fast where the address is aligned.
set(CMAKE_C_FLAGS_INIT -Wa,-muse-unaligned-vector-move)
set(CMAKE_CXX_FLAGS_INIT "-Wa,-muse-unaligned-vector-move -Wa,-mbig-obj")
# A program needs no file beside it: all libraries are in it, those of the compiler too.
set(BUILD_SHARED_LIBS OFF CACHE BOOL "")
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/windows/wine)
