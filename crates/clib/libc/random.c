int __hone_rand_r(unsigned *seed)
{
    unsigned state = *seed;
    int value = 0;
    if (sizeof state < 4)
        __hone__unsupported();
    for (int i = 0; i < 3; i++) {
        state = state * 1103515245u + 12345u;
        if (i == 0)
            value = state / 65536 % 2048;
        else
            value = (value << 10) ^ (state / 65536 % 1024);
    }
    *seed = state;
    return value;
}

static unsigned short __hone__seed48[3];

static unsigned short __hone__last48[3];

static unsigned long long __hone__factor48 = 0x5deece66d;

static unsigned short __hone__summand48 = 11;

static unsigned long long __hone__next48(unsigned short seed[3])
{
    unsigned long long state = (unsigned long long)seed[2] << 32 | (unsigned long long)seed[1] << 16 | seed[0];
    state = (state * __hone__factor48 + __hone__summand48) & 0xffffffffffff;
    seed[0] = (unsigned short)(state & 0xffff);
    seed[1] = (unsigned short)(state >> 16 & 0xffff);
    seed[2] = (unsigned short)(state >> 32);
    return state;
}

double __hone_erand48(unsigned short seed[3])
{
    return (double)__hone__next48(seed) / 281474976710656.0;
}

double __hone_drand48(void)
{
    return __hone_erand48(__hone__seed48);
}

long __hone_nrand48(unsigned short seed[3])
{
    return (long)(__hone__next48(seed) >> 17);
}

long __hone_lrand48(void)
{
    return __hone_nrand48(__hone__seed48);
}

long __hone_jrand48(unsigned short seed[3])
{
    return (int)(unsigned)(__hone__next48(seed) >> 16);
}

long __hone_mrand48(void)
{
    return __hone_jrand48(__hone__seed48);
}

void __hone_lcong48(unsigned short numbers[7])
{
    for (int i = 0; i < 3; i++)
        __hone__seed48[i] = numbers[i];
    __hone__factor48 = (unsigned long long)numbers[5] << 32 | (unsigned long long)numbers[4] << 16 | numbers[3];
    __hone__summand48 = numbers[6];
}

unsigned short *__hone_seed48(unsigned short seed[3])
{
    for (int i = 0; i < 3; i++) {
        __hone__last48[i] = __hone__seed48[i];
        __hone__seed48[i] = seed[i];
    }
    __hone__factor48 = 0x5deece66d;
    __hone__summand48 = 11;
    return __hone__last48;
}

void __hone_srand48(long seed)
{
    unsigned short start[3] = { 0x330e, (unsigned short)(seed & 0xffff), (unsigned short)(seed >> 16 & 0xffff) };
    __hone_seed48(start);
}
