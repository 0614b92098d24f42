// expect: false
// k-induction: false
// checks: memory
// data-model: ILP32
// malloc: never-fails
// The loop writes one byte behind a block that may have half of the address space.
void *malloc(unsigned int);
int nondet_int(void);

int main(void) {
    int n = nondet_int();
    if (n < 1) return 0;
    char *text = malloc(n);
    for (int i = 0; i <= n; i++) text[i] = 'x';
    text[n - 1] = 0;
    int length = 0;
    while (text[length] != 0) length++;
    return length;
}
