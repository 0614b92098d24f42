// expect: false
// checks: memory
// Where a jump leads back to before the declaration, leaving the block from there ends the object as well.
int main(void) {
    int *kept = 0, n = 0;
    while (n < 5) {
before:
        if (n == 2)
            break;
        int value = n++;
        kept = &value;
        if (n == 2)
            goto before;
    }
    return *kept;
}
