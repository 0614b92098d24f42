// expect: unknown(unsupported: call)
// checks: memory
// What is called without a declaration returns an `int` to its caller. Nobody can tell what becomes of a pointer then.
static int x;

int main(void)
{
    int *p = place();
    *p = 1;
    return *p;
}

int *place(void)
{
    return &x;
}
