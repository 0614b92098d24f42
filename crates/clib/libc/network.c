typedef struct { __hone_uint32_t value; } __hone__address;
char *__hone_inet_ntoa(__hone__address address)
{
    static char text[16];
    int n = 0;
    for (int i = 0; i < 4; i++) {
        unsigned byte = __hone_ntohl(address.value) >> (24 - 8 * i) & 255;
        if (i > 0)
            text[n++] = '.';
        if (byte > 99)
            text[n++] = (char)('0' + byte / 100);
        if (byte > 9)
            text[n++] = (char)('0' + byte / 10 % 10);
        text[n++] = (char)('0' + byte % 10);
    }
    text[n] = 0;
    return text;
}

int __hone_inet_aton(const char *s, __hone_uint32_t *address)
{
    __hone_uint32_t value = 0, most = 0xffffffff;
    for (int parts = 0; parts < 4; parts++) {
        char *end;
        if (*s < '0' || *s > '9')
            return 0;
        int before = __hone__errno;
        unsigned long long part = __hone_strtoull(s, &end, 0);
        __hone__errno = before;
        if (*end == '.' && parts < 3) {
            if (part > 255)
                return 0;
            value |= (__hone_uint32_t)part << (24 - 8 * parts);
            most >>= 8;
            s = end + 1;
        } else if (part > most || *end && *end != ' ' && (*end < '\t' || *end > '\r')) {
            return 0;
        } else {
            if (address)
                *address = __hone_htonl(value | (__hone_uint32_t)part);
            return 1;
        }
    }
    return 0;
}

__hone_uint32_t __hone_inet_addr(const char *s)
{
    __hone_uint32_t address;
    return __hone_inet_aton(s, &address) ? address : (__hone_uint32_t)-1;
}
