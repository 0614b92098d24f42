typedef __typeof__(sizeof(0)) __hone_size_t;

typedef __typeof__((char *)0 - (char *)0) __hone_ptrdiff_t;

typedef __typeof__(0x7fffffff) __hone_int32_t;

typedef __typeof__(0xffffffff) __hone_uint32_t;

typedef __typeof__(L'0') __hone_wchar_t;

extern void *__hone_malloc(__hone_size_t);
extern void *__hone_aligned_alloc(__hone_size_t, __hone_size_t);

extern void *__hone_realloc(void *, __hone_size_t);

extern int __hone__any_int(void);

extern __hone_size_t __hone__any_size(void);

extern double __hone__any_double(void);

extern void __hone__require(int);

extern int __hone__is_outside(void *);

extern void __hone__unsupported(void);

extern double __hone__float_value(const char *);

extern float __hone__short_float_value(const char *);

extern int __hone__float_digit(double, int, int, int, int);

extern double __hone__power(double, double);

static int __hone__errno;
int *__hone___errno_location(void)
{
    return &__hone__errno;
}
int *__hone___errno(void)
{
    return &__hone__errno;
}
int *__hone___error(void)
{
    return &__hone__errno;
}

static int __hone__any_error(void)
{
    int error = __hone__any_int() & (int)((unsigned)-1 / 2);
    return error ? error : 1;
}

void __hone__may_fail(void)
{
    if (__hone__any_int())
        __hone__errno = __hone__any_error();
}

void __hone__fails_if(int fails)
{
    if (fails)
        __hone__errno = __hone__any_error();
}

void __hone__no_memory(void)
{
    __hone__errno = 12;
}
