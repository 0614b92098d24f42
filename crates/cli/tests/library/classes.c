#include <math.h>
#include <stdio.h>

int main(void)
{
    double of[] = {0.0, -0.0, 1.0, -1e300, 0x1p-1022, 0x1p-1023, -0x1p-1074, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 10; i++)
        printf("%d %d %d\n", __fpclassify(of[i]), __fpclassifyf((float)of[i]), __fpclassifyl(of[i]));
    printf("%d %d %d\n", __fpclassifyf(0x1p-126f), __fpclassifyf(0x1p-127f), __fpclassifyl(0x1p-16383L));
    return 0;
}
