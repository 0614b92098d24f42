// expect: false
// checks: memory
// harness: the same place is used again, so that the sanitizer sees nothing
int main(void)
{
    int *p = 0, i = 0, n = 3;
again:
    if (i)
        return *p;
    int all[n];
    all[0] = 1;
    p = all;
    i++;
    goto again;
}
