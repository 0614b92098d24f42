// expect: true
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

static struct pair zeros(void)
{
    struct pair result = {0, 0};
    both(0);
    return result;
}

int main(void)
{
    struct pair (*function)(void) = zeros;
    int x = __VERIFIER_nondet_int();
    // Without use, a result may be missing.
    both(x);
    struct pair pair = function();
    if (x > 3)
        pair = both(x);
    return pair.first != pair.second;
}
