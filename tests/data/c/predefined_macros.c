// expect: true
// Nothing but names that compilers predefine makes the preprocessor necessary here.
void reach_error(void);

static long largest = __LONG_MAX__; static int line = __LINE__;

int main(void) {
  if (line != 5 || __LINE__ != 8)
    reach_error();
  if (__CHAR_BIT__ != 8 || __INT_MAX__ != 2147483647 || __SIZEOF_POINTER__ != sizeof(void *))
    reach_error();
  if (largest + 1L != -largest - 1 || __INT64_C(3) != 3ll || sizeof(__INT64_C(3)) != 8)
    reach_error();
  if (sizeof(__FILE__) < 8 || __func__[0] != 'm' || sizeof(__SIZE_TYPE__) != sizeof(sizeof 1))
    reach_error();
  return 0;
}
