// expect: unknown(the pointer leads to no object)
// value: unknown(the pointer leads to no object)
// predicate: unknown(the pointer leads to no object)
// value-predicate: unknown(the pointer leads to no object)
// impact: unknown(the pointer leads to no object)
// bmc: unknown(the pointer leads to no object)
// bam-value: unknown(the pointer leads to no object)
// A proof would say nothing about the error: the pointer is null on every run, because nobody sets it.
extern void reach_error(void);

struct device { int state; };
struct device *device;

int main(void) {
    device->state = 1;
    if (device->state == 1) reach_error();
    return 0;
}
