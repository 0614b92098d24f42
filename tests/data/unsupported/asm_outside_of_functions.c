// expect: unknown(inline assembler)
// Two names of one variable.
extern void reach_error(void);
int count;
extern int same;
__asm__ (".globl same\n\t.set same, count");

int main(void) {
    count = 5;
    if (same == 5) reach_error();
    return 0;
}
