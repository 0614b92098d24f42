// expect: false
// checks: memory
// No file defines the variable, so that its address is null.
extern int configured __attribute__((weak));

int main(void)
{
    return configured;
}
