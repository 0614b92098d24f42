// expect: true
// No run gets past the access, but what may follow keeps the property.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct device { int state; int *log; };
struct device *device;

int main(void) {
    int locked = 0;
    if (__VERIFIER_nondet_int()) {
        locked = 1;
        device->state = 1;
        if (device->state && *device->log) locked = 2;
        locked = 0;
    }
    if (locked) reach_error();
    return 0;
}
