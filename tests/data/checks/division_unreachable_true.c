// expect: true
// checks: division
int main(void)
{
    int zero = 0;
    if (sizeof(long) < sizeof(char))
        return 1 / zero;
    return 0;
}
