// expect: true
// checks: memory,assertions
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct place {
    int *at;
    int count;
};

static void fill(struct place *place, int *to)
{
    place->at = to;
    *place->at = __VERIFIER_nondet_int();
}

int main(void)
{
    int sum = 0;
    // Each round begins with objects of its own, which keep no addresses of earlier ones.
    for (int i = 0; i < 50; i++) {
        int x;
        struct place place;
        fill(&place, &x);
        if (*place.at > 0 && sum < 100)
            sum++;
    }
    if (sum < 0 || sum > 100)
        reach_error();
    return 0;
}
