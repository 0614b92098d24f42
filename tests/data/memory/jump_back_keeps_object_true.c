// expect: true
// checks: memory,assertions
// An object lives as long as its block, so a jump back to before its declaration does not end it.
extern void reach_error(void);
#define CHECK(e) do { if (!(e)) reach_error(); } while (0)

struct node { int value; struct node *next; };

static int in_block(void) {
    int *kept = 0, again = 0;
    {
before:;
        int value;
        if (again) {
            *kept = 5;
            return value;
        }
        value = 3;
        kept = &value;
        again = 1;
        goto before;
    }
}

static int in_function(void) {
    int round = 0;
    int *kept = 0;
before:;
    if (kept)
        CHECK(*kept == round);
    int values[2] = {round, 0};
    if (kept) {
        *kept = 8;
        CHECK(kept == values && values[0] == 8 && values[1] == 0);
        return values[0];
    }
    kept = values;
    *kept = ++round;
    goto before;
}

static int in_rounds(void) {
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        struct node *last = 0;
        int n = 0;
before:;
        struct node own = {n, last};
        if (n++ == 0) {
            last = &own;
            goto before;
        }
        CHECK(own.next == &own && last->value == 1);
        sum += own.value;
    }
    return sum;
}

static int literal(void) {
    struct node *first = 0, *second;
before:
    second = &(struct node){4, first};
    if (!first) {
        first = second;
        goto before;
    }
    return first == second && second->next == second ? first->value : 0;
}

int main(void) {
    CHECK(in_block() == 5);
    CHECK(in_function() == 8);
    CHECK(in_rounds() == 2);
    CHECK(literal() == 4);
    return 0;
}
