// std::condition_variable::wait as libstdc++ has had it since GCC 4.4. GCC 12 added a younger version; see old_hypot.c.
__asm__(".symver old_wait, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
void old_wait(void* condition, void* lock);

__attribute__((visibility("hidden"))) void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(
    void* condition, void* lock) {
  old_wait(condition, lock);
}
