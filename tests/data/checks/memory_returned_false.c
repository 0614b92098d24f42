// expect: false
// checks: memory
static int *made(void)
{
    int x = 5;
    int *p = &x;
    return p;
}

int main(void)
{
    int *p = made();
    return *p;
}
