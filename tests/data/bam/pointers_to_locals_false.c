// expect: false
// bam-value: false
// A function overwrites a variable of its caller through a pointer that it finds in memory.
int __VERIFIER_nondet_int(void);
void reach_error(void);

struct box {
    int *inside;
};

static void put(struct box *box, int what) {
    if (what > 2)
        *box->inside = what;
}

int main(void) {
    int mine = 1;
    struct box box;
    box.inside = &mine;
    put(&box, 1);
    if (mine != 1)
        return 0;
    put(&box, 3);
    if (mine == 3)
        reach_error();
    return 0;
}
