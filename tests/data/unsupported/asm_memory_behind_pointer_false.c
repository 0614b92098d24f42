// expect: false
// Memory that an address in the memory leads to.
extern void reach_error(void);
struct node { int value; struct node *next; };

int main(void) {
    struct node last = {1, 0}, first = {2, &last};
    __asm__ volatile ("mov 8(%0),%%rax; movl $7,(%%rax)" : : "r"(&first) : "memory", "rax");
    if (last.value == 7) reach_error();
    return 0;
}
