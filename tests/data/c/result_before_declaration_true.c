// expect: true
// checks: memory
// What is called without a declaration returns an `int` to its caller: the low bits of the number.
int main(void)
{
    int places[8] = {0};
    return places[count()];
}

unsigned long count(void)
{
    return 0x100000007;
}
