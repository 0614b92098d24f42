// expect: unknown(through a null pointer)
// value: unknown(through a null pointer)
// predicate: unknown(through a null pointer)
// value-predicate: unknown(through a null pointer)
// impact: unknown(through a null pointer)
// bmc: unknown(through a null pointer)
// bam-value: unknown(through a null pointer)
// A proof would say nothing about the error: the pointer is null on every run, because nobody sets it.
extern void reach_error(void);

struct device { int state; };
struct device *device;

int main(void) {
    device->state = 1;
    if (device->state == 1) reach_error();
    return 0;
}
