// expect: false
// checks: call
// The function takes an `int`, not what its parameter is.

static int one(c) char c; { return c; }

int main(void)
{
    int (*wrong)(char) = (int (*)(char))one;
    return wrong(1);
}
