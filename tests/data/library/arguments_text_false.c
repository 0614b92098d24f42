// expect: false
// checks: memory
// malloc: never-fails
int main(int argc, char **argv)
{
    int *p = 0;
    if (argc > 5 && argv[5][0] == 'x' && argv[4][0] == '\'')
        return *p;
    return 0;
}
