// expect: unknown(no run gets past it)
// value: unknown(no run gets past it)
// predicate: unknown(no run gets past it)
// value-predicate: unknown(no run gets past it)
// impact: unknown(no run gets past it)
// A proof would say nothing about the error: the pointer is null on every run, because nobody sets it.
extern void reach_error(void);

struct device { int state; };
struct device *device;

int main(void) {
    device->state = 1;
    if (device->state == 1) reach_error();
    return 0;
}
