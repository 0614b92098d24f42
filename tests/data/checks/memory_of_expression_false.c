// expect: false
// checks: memory
int main(void)
{
    return *({ int x = 3; &x; }) > 2;
}
