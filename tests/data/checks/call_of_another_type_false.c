// expect: false
// checks: call
static double half(double x)
{
    return x / 2;
}

int main(void)
{
    int (*operation)(int, int) = (int (*)(int, int))half;
    return operation(1, 2);
}
