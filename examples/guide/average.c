#include "average.h"

int main(void)
{
    int sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        int sample = read_sample();
        if (sample >= 0) {
            sum += sample;
            count++;
        }
    }
    return sum / count;
}
