// expect: false
// checks: memory
// The block ends where `break` leaves it.
int main(void)
{
    int *p = 0;
    for (;;) {
        int inner = 3;
        p = &inner;
        break;
    }
    return *p;
}
