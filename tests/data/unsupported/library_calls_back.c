// expect: unknown(unsupported: library function)
extern void qsort_r(void *, unsigned long, unsigned long, int (*)(const void *, const void *, void *), void *);
extern void reach_error(void);
static int compare(const void *a, const void *b, void *calls) { ++*(int *)calls; return *(int *)a - *(int *)b; }

int main(void) {
    int numbers[] = {2, 1}, calls = 0;
    qsort_r(numbers, 2, sizeof *numbers, compare, &calls);
    if (calls) reach_error();
    return 0;
}
