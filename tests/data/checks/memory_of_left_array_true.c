// expect: true
// checks: memory
int main(void)
{
    int i = 0, n = 3;
again:;
    int all[n];
    all[0] = i;
    int *p = all;
    i++;
    if (i < 3)
        goto again;
    if (i == 7)
        goto end;
    p[1] = 2;
inside:
    i++;
    p[2] = 1;
    if (i < 10)
        goto inside;
end:
    return *p;
}
