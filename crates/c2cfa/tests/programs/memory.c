int printf(const char *, ...);
void *malloc(__typeof__(sizeof 0));
void *calloc(__typeof__(sizeof 0), __typeof__(sizeof 0));
void *realloc(void *, __typeof__(sizeof 0));
void free(void *);
void *memcpy(void *, const void *, __typeof__(sizeof 0));
void *memmove(void *, const void *, __typeof__(sizeof 0));
void *memset(void *, int, __typeof__(sizeof 0));
static int failures;
static void check(int id, long long got, long long expected)
{
    if (got != expected) {
        printf("%d: %lld, not %lld\n", id, got, expected);
        failures++;
    }
}

struct point { int x, y; };
struct line { struct point a, b; char name[3]; };
union word { unsigned u; unsigned char b[4]; float f; };
struct bits {
    unsigned a : 3;
    int b : 5;
    unsigned c : 12;
    int : 0;
    signed char d : 4;
    unsigned long long e : 40;
    _Bool f : 1;
};
struct __attribute__((packed)) tight { char c; unsigned b : 19; unsigned long long w : 45; };

struct point points[3] = {{1, 2}, {.y = 4, .x = 3}, 5, 6};
int sparse[10] = {[3] = 7, 8, [9] = 1, [0 ... 1] = 4};
char text[] = "hello";
char padded[8] = "hi";
const char *strings[] = {"one", "two", text + 1};
int *inside = &points[1].y;
struct line global_line = {{1, 2}, {3}, "ab"};
struct bits global_bits = {5, -3, 4000, -2, 0xabcdef1234, 1};
static int (*function)(int);
long as_number = (long)&text[2];
union word one_float = {.f = 1.0f};

static struct point make(int x, int y)
{
    struct point p;
    p.x = x;
    p.y = y;
    return p;
}
static int sum(struct point p)
{
    p.x += p.y;
    return p.x;
}
static struct point swap(struct point p) { return (struct point){p.y, p.x}; }
static struct line longer(struct line l, int n)
{
    l.a.x = n;
    return n > 0 ? longer(l, n - 1) : l;
}
static int twice(int x) { return 2 * x; }

static void records(void)
{
    struct point p = make(3, 4), q;
    q = p;
    q.x = 9;
    check(1, p.x * 10 + q.x, 39);
    check(2, sum(p), 7);
    check(3, p.x, 3);
    p = swap(p);
    check(4, p.x * 10 + p.y, 43);
    check(5, make(5, 6).y, 6);
    check(6, swap(swap(p)).x, 4);
    struct line l = {p, .b = {7}, "x"};
    check(7, l.a.x + l.b.x + l.b.y + l.name[0] + l.name[1], 4 + 7 + 'x');
    struct line m = longer(l, 3);
    check(8, m.a.x * 100 + m.b.x * 10 + l.a.x, 74);
    q = l.a.x == 4 ? l.a : l.b;
    check(9, q.y, 3);
    struct point *r = &(struct point){11, 12};
    check(10, r->x + r->y, 23);
    struct { struct point p[2]; } nested = {{{1, 2}, {3, 4}}}, copy = nested;
    nested.p[1] = nested.p[0];
    check(11, nested.p[1].y * 10 + copy.p[1].y, 24);
    check(12, ({ struct point t = make(1, 8); t; }).y, 8);
    check(13, sum((q = make(2, 3))), 5);
    check(14, (p = q, p).y, 3);
    struct point array[2];
    array[0] = array[1] = make(1, 1);
    check(15, array[0].x + array[1].y, 2);
}

static void unions(void)
{
    union word w;
    w.u = 0x01020304;
    check(100, w.b[0] * 10 + w.b[3], 41);
    w.f = 1.0f;
    check(101, w.u, 0x3f800000);
    check(102, one_float.u, 0x3f800000);
    w = (union word){.b = {1, 2}};
    check(103, w.u, 0x201);
}

static void bit_fields(void)
{
    struct bits b = {0};
    b.a = 9;
    b.b = 17;
    b.c = 0xfff;
    b.d = -8;
    b.e = 0xffffffffffull;
    b.f = 2;
    check(200, b.a, 1);
    check(201, b.b, -15);
    check(202, b.c, 4095);
    check(203, b.d, -8);
    check(204, b.e == 0xffffffffffull, 1);
    check(205, b.f, 1);
    b.c = 5;
    b.b++;
    b.a--;
    check(206, b.a * 100 + b.c, 5);
    check(207, b.b, -14);
    check(208, b.d, -8);
    check(209, (b.a = 15), 7);
    check(210, b.a++ + b.a, 7);
    check(211, global_bits.a * 10000 + global_bits.c, 54000);
    check(212, global_bits.b * 10 + global_bits.d, -32);
    check(213, global_bits.e == 0xabcdef1234ull, 1);
    check(214, global_bits.f, 1);
    check(215, b.a - 1 < 0, 1);
    b.d += 3;
    check(216, b.d, -5);
    struct bits c = {1, .c = 7};
    check(217, c.a + c.b + c.c + c.d, 8);
    struct tight t = {'x', 0x7abcd, 0x1234567890abull};
    check(218, t.c, 'x');
    check(219, t.b, 0x7abcd);
    check(220, t.w == 0x1234567890abull, 1);
    t.b = 0x12345;
    check(221, t.b * 2 + (t.w == 0x1234567890abull) + (t.c == 'x'), 0x12345 * 2 + 2);
    t.w = 3;
    check(222, t.b + t.w, 0x12348);
    struct { unsigned x : 31; } u = {0};
    check(223, u.x - 1 < 0, 1);
    static struct { int x : 8, y : 16; } whole = {-4, -126};
    check(225, whole.x * 1000 + whole.y, -4126);
    check(226, (whole.y = 40000), -25536);
    struct { signed int x : 2; } s = {3};
    check(224, s.x, -1);
}

static void initialisers(void)
{
    check(300, points[1].x * 1000 + points[1].y * 100 + points[2].x * 10 + points[2].y, 3456);
    check(301, sparse[0] + sparse[1] * 10 + sparse[2] + sparse[3] * 100 + sparse[4] * 1000, 8744);
    check(302, sparse[9] + sparse[8], 1);
    check(303, sizeof text, 6);
    check(304, padded[1] + padded[2], 'i');
    check(305, *strings[0] + strings[1][2] + *strings[2], 'o' + 'o' + 'e');
    check(306, *inside, 4);
    *inside = 5;
    check(307, points[1].y, 5);
    check(308, global_line.b.x * 10 + global_line.b.y + global_line.name[1], 30 + 'b');
    check(309, *(char *)as_number, 'l');
    check(310, function == 0, 1);
    function = twice;
    check(311, function(4) + (*function)(1), 10);
    int local[5] = {1, [3] = 4};
    check(312, local[0] + local[1] + local[3] + local[4], 5);
    char s[] = "abc", t[20] = "xyz";
    check(313, sizeof s + s[2] + t[2] + t[3] + t[19], 4 + 'c' + 'z');
    int table[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    int total = 0;
    for (int i = 0; i < 16; i++)
        total += table[i];
    check(314, total, 136);
    int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    check(315, matrix[1][2] * 10 + (*(matrix + 1))[0] + **matrix, 65);
    int (*row)[3] = matrix;
    check(316, row[1][1] + sizeof *row, 5 + 12);
    static int counter = 10;
    check(317, counter++ * 0, 0);
    double d[] = {0.5, 1.5};
    check(318, (int)(d[0] + d[1]), 2);
    _Bool flags[2] = {5};
    check(319, flags[0] + flags[1], 1);
}

static void heap(void)
{
    int *p = malloc(4 * sizeof *p);
    for (int i = 0; i < 4; i++)
        p[i] = i;
    p = realloc(p, 8 * sizeof(int));
    check(400, p[3], 3);
    free(p);
    int *z = calloc(4, sizeof(int));
    check(401, z[0] + z[3], 0);
    struct node { struct node *next; int value; } *head = 0;
    for (int i = 1; i <= 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        n->value = i;
        head = n;
    }
    int digits = 0;
    for (struct node *n = head; n; n = n->next)
        digits = digits * 10 + n->value;
    check(402, digits, 4321);
    memset(z, 1, 8);
    check(403, z[1], 0x01010101);
    memcpy(z + 2, z, 2 * sizeof(int));
    check(404, z[3], 0x01010101);
    unsigned char b[6] = {1, 2, 3, 4, 5, 6};
    memmove(b + 1, b, 4);
    check(405, b[1] * 1000 + b[2] * 100 + b[4] * 10 + b[5], 1246);
    int n = 3;
    memcpy(b, b + 3, n);
    check(406, b[0] * 100 + b[1] * 10 + b[2], 346);
    free(z);
    free(0);
    check(407, *(short *)b, 0x403);
    char *c = (char *)b;
    c += 2;
    check(408, c - (char *)b, 2);
    check(409, &b[4] - &b[1], 3);
    check(410, (unsigned long)&b[1] - (unsigned long)b, 1);
    check(411, &b[2] > b && b + 6 >= &b[5], 1);
}

int main(void)
{
    records();
    unions();
    bit_fields();
    initialisers();
    heap();
    return failures;
}
