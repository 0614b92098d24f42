// A block that grows, and a pointer in it.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

void *realloc(void *, size_t);
struct small { struct small *self; int count; };
struct large { struct small small; int more[4]; };

int main(void)
{
    struct small *small = malloc(sizeof *small);
    if (!small)
        return 0;
    small->self = small;
    small->count = 0;
    while (__VERIFIER_nondet_int()) {
        struct large *large = realloc(small, sizeof *large);
        if (!large) {
            free(small);
            return 1;
        }
        large->more[0] = large->small.count;
        large->small.self = &large->small;
        small = realloc(large, sizeof *small);
        if (!small) {
            free(large);
            return 1;
        }
        small->self = small;
        small->count = small->count < 9 ? small->count + 1 : 0;
    }
    free(small);
    return 0;
}
