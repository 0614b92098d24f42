// expect: unknown(asm goto)
extern void reach_error(void);

int main(void) {
    __asm__ goto ("jmp %l0" : : : : out);
    return 0;
out:
    reach_error();
    return 0;
}
