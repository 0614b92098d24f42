// expect: false
// checks: memory
// The object of a block ends with it, also where a jump got into the block behind the declaration.
int main(void) {
    int *kept;
    goto inside;
    {
        int value;
inside:
        value = 3;
        kept = &value;
        if (*kept != 3)
            return 1;
    }
    return *kept;
}
