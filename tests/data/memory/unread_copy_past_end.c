// expect: unknown(access out of bounds)
// value: unknown(access out of bounds)
// predicate: unknown(access out of bounds)
// interval: unknown(interval domain too coarse)
// As in `unread_write_past_end.c`, with a block that is too long.
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);

char dst[4] = "x";
char secret[4] = "key";

int main(void) {
  memcpy(dst, "overflow", 8);
  if (secret[0] != 'k') reach_error();
  return 0;
}
