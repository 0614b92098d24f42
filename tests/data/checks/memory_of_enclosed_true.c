// expect: true
// checks: memory,assertions
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct point {
    int x, y;
};

static int value(int *p) { return *p; }
static int sum(struct point *p) { return p->x + p->y; }

#define container_of(ptr, type, member) \
    ({ \
        const __typeof__(((type *)0)->member) *m = (ptr); \
        (type *)((char *)m - __builtin_offsetof(type, member)); \
    })

int main(void)
{
    int k = __VERIFIER_nondet_int(), s = 0;
    if (k < 0 || k > 9)
        return 0;
    if (value(&(int){k}) > 3)
        s = sum(&(struct point){k, 1});
    else
        s = value((int[]){k, 2} + 1);
    while (value(&(int){k}) > 0)
        k--;
    do
        k++;
    while (value(&(int){k}) < 3);
    struct point o = {1, 2};
    s += container_of(&o.y, struct point, y)->x;
    int *p = ({ int *q = &s; q; });
    *p += 1;
    if (k != 3 || s < 4)
        reach_error();
    return 0;
}
