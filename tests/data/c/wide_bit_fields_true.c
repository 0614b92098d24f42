// expect: true
/* GCC computes with a bit-field of more bits than int in just so many bits; a cast gives it its declared type. */
#include <assert.h>
struct S { unsigned long long a : 40; long long b : 40; unsigned long long c : 50; long long d : 45; unsigned e : 20; unsigned long long f : 20; };
int main(void) {
  struct S s;
  s.a = 1ULL << 39;
  assert((s.a << 1) == 0);
  assert(((unsigned long long)s.a << 1) == 1ULL << 40);
  s.a = 0xFFFFFFFFFFULL;
  assert(s.a + 1 == 0);
  assert(s.a + 1L == 1L << 40);
  assert(s.a + 1ULL == 1ULL << 40);
  assert(s.a == -1);
  assert(s.a != -1L);
  assert(s.a > -1L);
  assert(~s.a == 0);
  assert(-s.a == 1);
  assert(+s.a == s.a);
  s.a = 3;
  assert(-s.a == 0xFFFFFFFFFDULL);
  assert(~s.a == 0xFFFFFFFFFCULL);
  assert(s.a - 4 == 0xFFFFFFFFFFULL);
  assert(s.a - 4 > 0);
  s.b = -1;
  assert(s.b < 0);
  assert(s.b + 1 == 0);
  assert((s.b ^ s.a) == 0xFFFFFFFFFCULL);
  s.c = 1ULL << 49;
  assert(s.c * 2 == 0);
  assert(s.c + s.a == (1ULL << 49) + 3);
  assert((s.c | s.b) == (1ULL << 50) - 1);
  s.d = -5;
  assert(s.d + s.a < 0);       /* signed 45 bits have all values of 40 unsigned ones */
  assert(s.d / 2 == -2);
  int one = 1;
  assert((one ? s.a : 0) - 4 == 0xFFFFFFFFFFULL);
  assert(((one, s.a) - 4) >> 39 == 1);
  unsigned long long x = s.a - 4;
  assert(x == 0xFFFFFFFFFFULL);
  assert((s.a = 5) - 6 == 0xFFFFFFFFFFULL);
  assert((x = s.a) - 6 == 0xFFFFFFFFFFFFFFFFULL);
  assert((s.a += 1) - 7 == 0xFFFFFFFFFFULL);
  assert(s.a++ - 7 == 0xFFFFFFFFFFULL);
  s.a = 0xFFFFFFFFFEULL;
  s.a /= -1;
  assert(s.a == 0);
  s.a = 0xFFFFFFFFFEULL;
  assert(s.a / -2 == 1);
  s.e = 1;
  assert(s.e - 2 < 0);
  assert((s.a ?: 1) + 2 == 0);
  assert((s.a * s.a) == 4);
  s.f = 1;
  s.f -= s.a;
  assert(s.f == 3);
  s.f /= -1;                   /* in int */
  assert(s.f == 0xFFFFD);
  long l = -6;
  l /= s.b = 2;                /* in long */
  assert(l == -3);
  return 0;
}
