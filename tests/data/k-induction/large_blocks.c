// expect: true
// k-induction: true
// checks: memory
// data-model: ILP32
// malloc: never-fails
// witness: its invariants would have to say what an array holds
// A block that takes half of the address space leaves no room for a second one: what every run satisfies at a loop, the first step and
// the steps from there are explorations that never meet, and each of them needs the block.
void *malloc(unsigned int);
int nondet_int(void);

int main(void) {
    int n = nondet_int();
    if (n < 1) return 0;
    char *text = malloc(n);
    for (int i = 0; i < n - 1; i++) text[i] = 'x';
    text[n - 1] = 0;
    int length = 0;
    while (text[length] != 0) length++;
    return length;
}
