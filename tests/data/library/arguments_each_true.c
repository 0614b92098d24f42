// expect: true
// checks: memory
static int dashes(char **strings, int n)
{
    int found = 0;
    for (int i = 1; i < n; i++)
        found += strings[i][0] == '-';
    return found;
}

int main(int argc, char **argv)
{
    return dashes(argv, argc) > 0;
}
