// expect: false
// checks: memory
int main(int argc, char **argv)
{
    int found = 0;
    for (int i = 0; i <= argc; i++)
        found += argv[i][0] == '-';
    return found;
}
