// expect: true
// checks: memory
// Where the second loop reads does not depend on what the roots are.
extern double sqrt(double);
extern double pow(double, double);

int main(void)
{
    int points[100];
    int distances[100];
    for (int i = 0; i < 100; i++)
        distances[i] = sqrt(pow(points[i], 2) + pow(points[99 - i], 2));
    int k = 0;
    for (int i = 0; i < 100; i++)
        if (distances[i] < distances[k])
            k++;
    return 0;
}
