// hypot as programs call it that were linked before glibc 2.35, which has a second, younger version of it. What is
// linked on Debian 12 takes that one, and would not start where glibc is 2.34. The linker makes calls of it calls of
// this function
// (--wrap=hypot).
__asm__(".symver old_hypot, hypot@GLIBC_2.2.5");
double old_hypot(double x, double y);

__attribute__((visibility("hidden"))) double __wrap_hypot(double x, double y) { return old_hypot(x, y); }
