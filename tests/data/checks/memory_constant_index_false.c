// expect: false
// checks: memory
int main(void)
{
    int a[2];
    a[0] = 1;
    a[1] = 2;
    a[2] = 3;
    return 0;
}
