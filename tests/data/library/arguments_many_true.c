// expect: true
// checks: memory
int main(int argc, char **argv)
{
    if (argc != 8)
        return 1;
    return argv[7][0] == 'x';
}
