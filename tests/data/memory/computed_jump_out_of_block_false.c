// expect: false
// checks: memory
// harness: sanitizers do not see computed jumps out of blocks
// A computed jump ends the objects of the blocks that it leaves.
int main(void) {
    static void *const places[] = {&&within, &&after};
    int *kept = 0, n = 0;
    {
        int value = 0;
        kept = &value;
within:
        value += 1;
        *kept += value;
        goto *places[n++];
    }
after:
    return *kept;
}
