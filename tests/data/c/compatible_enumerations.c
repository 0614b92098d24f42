// expect: true
// An enumeration is compatible with the integer type that represents it, and with no other enumeration.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
#define COMPATIBLE __builtin_types_compatible_p
enum mode { OFF, ON };
enum level { LOW };
enum sign { MINUS = -1 };

int main(void) {
    CHECK(COMPATIBLE(enum mode, unsigned) && !COMPATIBLE(enum mode, int) && COMPATIBLE(enum sign, int));
    CHECK(!COMPATIBLE(enum mode, enum level) && COMPATIBLE(enum mode *, unsigned *) && COMPATIBLE(__typeof__(OFF), int));
    return 0;
}
