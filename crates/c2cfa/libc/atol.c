long __hone_atol(const char *s)
{
    long value = 0;
    int negative = 0;
    int begun = 0;
    for (int i = 0;; i++) {
        char c = s[i];
        if (c >= '0' && c <= '9') {
            value = 10 * value - (c - '0');
        } else if (begun) {
            break;
        } else if (c == '-' || c == '+') {
            negative = c == '-';
        } else if (c == ' ' || c >= '\t' && c <= '\r') {
            continue;
        } else {
            break;
        }
        begun = 1;
    }
    return negative ? value : -value;
}
