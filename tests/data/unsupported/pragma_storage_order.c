// expect: unknown(unsupported: pragma)
extern void reach_error(void);
#pragma scalar_storage_order big-endian
struct s { int x; };
#pragma scalar_storage_order default
int main(void) {
    union { struct s s; unsigned char c[4]; } u = { { 1 } };
    if (u.c[3] != 1) reach_error();
    return 0;
}
