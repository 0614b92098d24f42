// expect: true
// checks: return
extern int __VERIFIER_nondet_int(void);
int count;

static int note(int x)
{
    if (x > 5)
        return x;
    count = x > 0;
}

static int checked(int x)
{
    note(x);
    return note(6);
}

int main(void)
{
    note(__VERIFIER_nondet_int());
    return checked(__VERIFIER_nondet_int());
}
