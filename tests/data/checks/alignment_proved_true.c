// expect: true
// checks: memory+alignment
extern unsigned __VERIFIER_nondet_uint(void);
char bytes[16] __attribute__((aligned(8)));
struct __attribute__((packed)) odd {
    char c;
    int n;
} odd;

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 4;
    struct odd *packed = &odd;
    return *(int *)(bytes + 4 * i) + packed->n;
}
