// expect: false
// checks: memory
// Each round has an object of its own, whether its declaration is reached or passed by a jump.
int main(void) {
    int *kept = 0, sum = 0;
    for (int round = 0; round < 3; round++) {
        if (kept)
            sum += *kept;
        if (round == 1)
            goto passed;
        int value;
        if (0) {
passed:
            sum++;
        }
        value = round;
        kept = &value;
    }
    return sum;
}
