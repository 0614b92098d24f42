// expect: false
// checks: memory
// `0.7f` is less than 0.7, so that the array has six elements.

int main(void)
{
    char buf[(int)(0.7f * 10.0)];
    buf[6] = 1;
    return buf[6];
}
