# Tests which CUDA architectures the build chooses, with compilers that only list their own. usage:
# cmake -D FOLDER=... -D SOURCE=... -D CASE=known|none|unlisted -P test.cmake
cmake_minimum_required(VERSION 3.25)
include(${SOURCE}/cmake/OctavoCudaArchitectures.cmake)

# expect(NAME STATUS LISTED EXPECTED): what an nvcc that prints LISTED and exits with STATUS gives.
function(expect name status listed expected)
  set(nvcc ${FOLDER}/${name})
  list(JOIN listed "\\n" text)
  file(WRITE ${nvcc} "#!/bin/sh\n[ \"$1\" = --list-gpu-arch ] || exit 9\nprintf '${text}\\n'\nexit ${status}\n")
  file(CHMOD ${nvcc} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  octavo_cuda_architectures(found ${nvcc} "75;80;86;89;90;100;120")
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${name}: ${found}, expected ${expected}")
  endif()
endfunction()

# expect_native(LISTED STATUS EXPECTED): what an nvidia-smi that prints LISTED and exits with STATUS gives, with the nvcc of
# the last call of `expect`.
function(expect_native listed status expected)
  list(JOIN listed "\\n" text)
  set(nvidia_smi ${FOLDER}/nvidia-smi)
  file(WRITE ${nvidia_smi} "#!/bin/sh\nprintf '${text}\\n'\nexit ${status}\n")
  file(CHMOD ${nvidia_smi} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  octavo_native_cuda_architectures(found ${FOLDER}/nvcc-13.0 "75;80;86;89;90;100;120" ${nvidia_smi})
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "native, ${listed}: ${found}, expected ${expected}")
  endif()
endfunction()

if(CASE STREQUAL "unlisted")
  expect(nvcc-10 1 "nvcc fatal : Unknown option" "")
elseif(CASE STREQUAL "none")
  expect(nvcc-9 0 "compute_30;compute_70" "")
else()
  expect(nvcc-11.0 0 "compute_35;compute_50;compute_52;compute_60;compute_61;compute_70;compute_75;compute_80" "75;80")
  expect(nvcc-12.0 0 "compute_50;compute_60;compute_70;compute_75;compute_80;compute_86;compute_87;compute_89;compute_90"
    "75;80;86;89;90")
  expect(nvcc-12.8 0 "compute_50;compute_75;compute_80;compute_86;compute_89;compute_90;compute_100;compute_101;compute_120"
    "75;80;86;89;90;100;120")
  expect(nvcc-13.0 0 "compute_75;compute_80;compute_86;compute_87;compute_88;compute_89;compute_90;compute_100;compute_110;compute_103;compute_120;compute_121"
    "75;80;86;89;90;100;120")
  expect_native("" 1 "75")
  expect_native("7.0" 0 "75")
  expect_native("8.7;8.7" 0 "86")
  expect_native("9.0;7.5" 0 "75;90")
  expect_native("13.1" 0 "120")
  # A later one that has dropped the oldest.
  expect(nvcc-15 0 "compute_90;compute_100;compute_120;compute_130" "90;100;120")
endif()
