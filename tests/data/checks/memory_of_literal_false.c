// expect: false
// checks: memory
// String literals are not written.
int main(void)
{
    char *text = "text";
    text[0] = 'n';
    return 0;
}
