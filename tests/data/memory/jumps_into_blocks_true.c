// expect: true
// checks: memory,assertions
// As jump_into_block_again_false.c, but nobody looks at what has ended; and jumps from place to place within blocks, and out of them.
extern void reach_error(void);
#define CHECK(e) do { if (!(e)) reach_error(); } while (0)

static int passed_in_rounds(void) {
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        if (round == 1)
            goto passed;
        int value;
        if (0) {
passed:
            sum++;
        }
        value = round;
        int *p = &value;
        sum += *p;
    }
    return sum;
}

static int from_above(int deep) {
    int sum = 0;
    if (deep)
        goto inner;
    {
        int outer = 1, *p = &outer;
        sum += *p;
        {
            int own;
inner:
            own = 5;
            int *q = &own;
            sum += *q;
            if (deep == 2) {
                deep = 0;
                goto inner;
            }
        }
    }
    return sum;
}

static int case_then_label(int k) {
    int *p = 0, sum = 0;
    switch (k) {
        int shared;
    case 1:
        shared = 1;
        p = &shared;
        goto both;
    case 2:
        shared = 2;
both:
        sum = shared;
        if (p)
            *p = 7, sum += shared;
        break;
    default:
        sum = 9;
    }
    return sum;
}

int main(void) {
    CHECK(passed_in_rounds() == 4);
    CHECK(from_above(0) == 6 && from_above(1) == 5 && from_above(2) == 10);
    CHECK(case_then_label(1) == 8 && case_then_label(2) == 2 && case_then_label(3) == 9);
    return 0;
}
