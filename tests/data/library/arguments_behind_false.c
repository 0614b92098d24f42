// expect: false
// checks: memory
int main(int argc, char **argv)
{
    return argv[2] == 0;
}
