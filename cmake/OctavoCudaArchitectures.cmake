# The architectures for which CUDA kernels are compiled: those of Octavo's list that the nvcc at hand knows. Compilers drop
# old architectures (CUDA 13 those below 75) and learn new ones (CUDA 12.8 learns 100 and 120).

# octavo_cuda_architectures(VARIABLE NVCC WANTED): the architectures of the list WANTED, in its order, that NVCC knows. It is
# an error if that is none.
function(octavo_cuda_architectures variable nvcc wanted)
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE known ERROR_VARIABLE complaint RESULT_VARIABLE status)
  string(REGEX MATCHALL "compute_[0-9]+" known "${known}")
  list(TRANSFORM known REPLACE "compute_" "")
  if(NOT status EQUAL 0 OR NOT known)
    message(FATAL_ERROR "${nvcc} does not list its architectures (--list-gpu-arch, of CUDA 11 and later): ${complaint}"
      "Set OCTAVO_NVCC to another nvcc, or OCTAVO_CUDA=OFF to build without CUDA")
  endif()
  set(found "")
  foreach(architecture IN LISTS wanted)
    if(architecture IN_LIST known)
      list(APPEND found ${architecture})
    endif()
  endforeach()
  if(NOT found)
    list(JOIN known " " known)
    list(JOIN wanted " " wanted)
    message(FATAL_ERROR "${nvcc} knows none of the architectures ${wanted}; it knows ${known}")
  endif()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
