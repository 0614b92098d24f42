// expect: false
extern void reach_error(void);
int counter = 1;

int main(void) {
    __asm__ volatile ("movl $7, counter(%%rip)" : : : "memory");
    if (counter == 7) reach_error();
    return 0;
}
