// expect: unknown(weak symbol)
// Without a definition in another file, the address is null.
extern void hook(void) __attribute__((weak));
extern void reach_error(void);

int main(void) {
    if (!hook) reach_error();
    return 0;
}
