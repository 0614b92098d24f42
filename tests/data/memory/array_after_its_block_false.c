// expect: false
// checks: memory
// harness: sanitizers do not see that an array of variable length has ended
// An array of variable length ends with its block, before the next iteration makes another.
int main(void)
{
    char *p = 0;
    for (int i = 1; i < 4; i++) {
        char v[i];
        p = v;
        p[0] = 1;
    }
    return *p;
}
