// expect: unknown(unsupported: left shift)
// checks: overflow
// Whether the value fits can't be told where C gives the shift none.
int main(void)
{
    int by = 40;
    int zero = 0;
    return zero << by;
}
