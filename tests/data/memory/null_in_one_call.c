// expect: true
// value: true
// value-predicate: true
// predicate: true
// impact: true
// bam-predicate: true
// predicate-bw: true
// predicate-newton: true
// predicate-horn: true
// One of the calls never gets past the access, the other one always does. Runs end at the null pointer, and the proof lists it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct device { int ready; };
struct device *unused;
struct device used = {1};

static int start(struct device *device, int is_used) {
    if (device->ready) return 1;
    return is_used;
}

int main(void) {
    if (!start(&used, 1)) reach_error();
    if (!start(unused, 0)) reach_error();
    return 0;
}
