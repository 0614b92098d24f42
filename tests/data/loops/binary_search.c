// expect: true
// Each index is computed from earlier ones that several expressions share.
extern void reach_error(void);
extern int nondet_int(void);
static void check(int ok) { if (!ok) reach_error(); }

static int find(const int *a, int n, int key) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key) low = middle + 1; else high = middle;
    }
    return low;
}

int main(void) {
    int a[8];
    for (int i = 0; i < 8; i++) {
        a[i] = nondet_int();
        if (i && a[i] < a[i - 1]) return 0;
    }
    int key = nondet_int();
    int found = find(a, 8, key);
    check(found >= 0 && found <= 8);
    if (found < 8) check(a[found] >= key);
    return 0;
}
