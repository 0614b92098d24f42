// expect: unknown(unsupported: type)
extern void reach_error(void);
struct S { char tag; int x; } __attribute__((scalar_storage_order("big-endian")));
struct S s = {1, 2};

int main(void) {
    if (((unsigned char *)&s)[7] == 2) reach_error();
    return 0;
}
