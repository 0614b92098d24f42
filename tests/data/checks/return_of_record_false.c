// expect: false
// checks: return
extern int __VERIFIER_nondet_int(void);

struct pair {
    int first;
    int second;
};

static struct pair both(int x)
{
    if (x > 0) {
        struct pair result = {x, x};
        return result;
    }
}

int main(void)
{
    struct pair pair = both(__VERIFIER_nondet_int());
    return pair.first != pair.second;
}
