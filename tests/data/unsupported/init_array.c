// expect: unknown(unsupported: attribute)
extern void reach_error(void);
int k;
static void init(void) { k = 3; }
static void (*const entry)(void) __attribute__((section(".init_array"), used)) = init;

int main(void) {
    if (k == 3) reach_error();
    return 0;
}
