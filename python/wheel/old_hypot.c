// hypot and hypotf as programs call them that were linked before glibc 2.35, which has second, younger versions. What is
// linked on Debian 12 takes those, and would not start where glibc is 2.34. The linker makes calls of them calls of these
// functions (--wrap).
__asm__(".symver old_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver old_hypotf, hypotf@GLIBC_2.2.5");
double old_hypot(double x, double y);
float old_hypotf(float x, float y);

__attribute__((visibility("hidden"))) double __wrap_hypot(double x, double y) { return old_hypot(x, y); }
__attribute__((visibility("hidden"))) float __wrap_hypotf(float x, float y) { return old_hypotf(x, y); }
