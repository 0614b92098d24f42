int __hone_isspace(int c)
{
    return c == ' ' || c >= '\t' && c <= '\r';
}
