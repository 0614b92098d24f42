// expect: false
// k-induction: false
// Objects that earlier iterations made are still there: an arbitrary state without them would miss the error.
void reach_error(void);
void *malloc(unsigned long);

int main(void) {
    int *last = 0;
    int made = 0;
    while (1) {
        int *p = malloc(sizeof(int));
        *p = made;
        if (last != 0 && *last == 6)
            reach_error();
        last = p;
        made++;
    }
    return 0;
}
