// expect: false
// What inline assembler changes in memory that it is given.
extern void reach_error(void);
int g = 1;

int main(void) {
    int *p = &g;
    __asm__ volatile ("movl $7,(%0)" : : "r"(p) : "memory");
    if (g == 7) reach_error();
    return 0;
}
