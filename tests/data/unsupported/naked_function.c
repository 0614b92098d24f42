// expect: unknown(unsupported: attribute)
extern void reach_error(void);
__attribute__((naked)) int seven(void) { __asm__ ("mov $7, %eax; ret"); }

int main(void) {
    if (seven() == 7) reach_error();
    return 0;
}
