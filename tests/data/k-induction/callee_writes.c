// expect: false
// k-induction: false
// What a called function changes is changed in each iteration.
void reach_error(void);
int counter;
int cells[4];

static void step(int *p) {
    counter++;
    p[counter & 3] += 1;
}

int main(void) {
    while (1) {
        step(cells);
        if (cells[2] == 5)
            reach_error();
    }
    return 0;
}
