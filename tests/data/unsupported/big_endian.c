// expect: unknown(unsupported: type)
extern void reach_error(void);
struct __attribute__((scalar_storage_order("big-endian"))) S { int x; };

int main(void) {
    struct S s;
    s.x = 1;
    if (((unsigned char *)&s)[3] == 1) reach_error();
    return 0;
}
