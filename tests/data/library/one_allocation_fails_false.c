// expect: false
// checks: memory
// malloc: may-fail
// All rows but one are looked at before they are used.
#include <stdlib.h>

#define ROWS 12
#define COLUMNS 24

int main(void)
{
    int *rows[ROWS], *sums = malloc(ROWS * sizeof(int));
    int made = 0, total = 0;
    for (int i = 0; i < ROWS; i++) {
        rows[i] = malloc(COLUMNS * sizeof(int));
        if (rows[i] || i == 7)
            made++;
    }
    if (sums && made == ROWS) {
        for (int i = 0; i < ROWS; i++) {
            sums[i] = 0;
            for (int k = 0; k < COLUMNS; k++)
                rows[i][k] = i * k;
            for (int k = 0; k < COLUMNS; k++)
                sums[i] += rows[i][COLUMNS - 1 - k];
        }
        for (int i = 0; i < ROWS; i++)
            total += sums[i];
    }
    for (int i = 0; i < ROWS; i++)
        free(rows[i]);
    free(sums);
    return total == 0;
}
