// expect: false
// checks: memory
// What is declared constant and lives as long as the program must not be written to, though a cast lets it be written.
static const int limit = 1;

int main(void)
{
    *(int *)&limit = 2;
    return 0;
}
