// expect: false
// checks: memory
int main(void)
{
    int *p;
    while ((p = &(int){1}))
        break;
    return *p > 2;
}
