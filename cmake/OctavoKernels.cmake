# GPU kernels are written once, as FOLDER/NAME_kernels.cl.h, and embedded twice. OpenCL gets text with its includes
# expanded. CUDA gets a fat binary from nvcc: machine code for each architecture (OctavoCudaArchitectures.cmake), and PTX of
# the last one for GPUs newer than this build. Without nvcc the CUDA half is empty, and the library reports this at run
# time. Either half is rebuilt when a file that it includes changes: nvcc, and the script that embeds the text, write the
# names of these files into a depfile.

set(OCTAVO_CUDA_ARCHITECTURES "" CACHE STRING
  "compute capabilities to compile CUDA kernels for, such as 80;90; native: those of this machine's GPUs; empty: those of Octavo's list that nvcc knows")
option(OCTAVO_CUDA "Embed CUDA kernels where nvcc is found" ON)
set(octavo_cuda_list 75 80 86 89 90 100 120)
set(cuda_architectures "")
if(OCTAVO_CUDA)
  find_program(OCTAVO_NVCC nvcc PATHS /usr/local/cuda/bin)
  if(OCTAVO_NVCC)
    include(OctavoCudaArchitectures)
    if(OCTAVO_CUDA_ARCHITECTURES STREQUAL "native")
      octavo_native_cuda_architectures(cuda_architectures ${OCTAVO_NVCC} "${octavo_cuda_list}" nvidia-smi)
    elseif(OCTAVO_CUDA_ARCHITECTURES)
      octavo_cuda_architectures(cuda_architectures ${OCTAVO_NVCC} "${OCTAVO_CUDA_ARCHITECTURES}")
      if(NOT cuda_architectures STREQUAL OCTAVO_CUDA_ARCHITECTURES)
        message(FATAL_ERROR "of OCTAVO_CUDA_ARCHITECTURES=${OCTAVO_CUDA_ARCHITECTURES} ${OCTAVO_NVCC} knows only "
          "${cuda_architectures}")
      endif()
    else()
      octavo_cuda_architectures(cuda_architectures ${OCTAVO_NVCC} "${octavo_cuda_list}")
    endif()
  endif()
endif()
# nvcc optimises the kernels of a file beside each other, from CUDA 12.1 on. From 12.0 on it has all instructions of compute
# capability 9.0 under a name of its own.
set(split_compilation "")
set(of_hopper 90)
if(cuda_architectures)
  execute_process(COMMAND ${OCTAVO_NVCC} --help OUTPUT_VARIABLE help)
  if(help MATCHES "sm_90a")
    set(of_hopper 90a)
  endif()
  if(help MATCHES "--split-compile ")
    set(split_compilation --split-compile 0)
  endif()
endif()
list(JOIN cuda_architectures " " text)
if(text)
  message(STATUS "CUDA kernels are compiled for ${text}")
endif()
set(octavo_embedded_cuda_architectures "${text}" CACHE INTERNAL "what ./dev wheel says of the wheel")

# octavo_kernels(FOLDER ROOT [TWIN.cu] [SPLIT]): adds the kernels of ROOT (a file of the current folder) to the library
# octavo_FOLDER, as `const KernelModule& FOLDER_kernels()`. TWIN is compiled for CUDA instead and includes ROOT. SPLIT: it has
# many kernels, and nvcc uses all cores. That gives other code where functions that kernels call have local memory.
function(octavo_kernels folder root)
  cmake_parse_arguments(ARG "SPLIT" "" "" ${ARGN})
  set(cuda_root ${root} ${ARG_UNPARSED_ARGUMENTS})
  list(GET cuda_root -1 cuda_root)
  set(split "")
  if(ARG_SPLIT)
    set(split ${split_compilation})
  endif()
  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/${folder}_kernels.cc)
  set(fatbin "")
  if(OCTAVO_CUDA AND OCTAVO_NVCC)
    set(fatbin ${CMAKE_CURRENT_BINARY_DIR}/${folder}.fatbin)
    set(targets "")
    list(TRANSFORM cuda_architectures REPLACE "^90$" ${of_hopper} OUTPUT_VARIABLE machines)
    foreach(architecture ${machines})
      list(APPEND targets -gencode arch=compute_${architecture},code=sm_${architecture})
    endforeach()
    list(GET cuda_architectures -1 newest)
    list(APPEND targets -gencode arch=compute_${newest},code=compute_${newest})
    # Line numbers for NVIDIA's profilers come with the absolute names of the sources. Without them each folder gives the same bytes.
    set(lines $<$<CONFIG:Debug,RelWithDebInfo>:-lineinfo>)
    add_custom_command(OUTPUT ${fatbin}
      COMMAND ${OCTAVO_NVCC} -fatbin -x cu -std=c++17 --fmad=false -prec-div=true -prec-sqrt=true -ftz=false
              -I${PROJECT_SOURCE_DIR}/src ${targets} ${lines} --threads 0 ${split} -MMD -MF ${fatbin}.d -MT ${fatbin}
              -o ${fatbin} ${CMAKE_CURRENT_SOURCE_DIR}/${cuda_root}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${cuda_root}
      DEPFILE ${fatbin}.d
      COMMENT "Compiling ${folder}'s kernels for CUDA" COMMAND_EXPAND_LISTS VERBATIM)
  endif()
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -D ROOT=${CMAKE_CURRENT_SOURCE_DIR}/${root} -D SOURCES=${PROJECT_SOURCE_DIR}/src
            -D FATBIN=${fatbin} -D OUTPUT=${embedded} -D DEPFILE=${embedded}.d -P ${PROJECT_SOURCE_DIR}/cmake/EmbedKernels.cmake
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${root} ${fatbin} ${PROJECT_SOURCE_DIR}/cmake/EmbedKernels.cmake
    DEPFILE ${embedded}.d
    COMMENT "Embedding ${folder}'s kernels" VERBATIM)
  target_sources(octavo_${folder} PRIVATE ${embedded})
  octavo_embedded(${embedded})
endfunction()
