int __hone_isblank(int c)
{
    return c == ' ' || c == 9;
}
