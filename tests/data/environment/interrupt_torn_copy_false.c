// expect: false
// environment: --interrupt update --max-interrupts 1
// A record is copied part by part.
#include <assert.h>
struct pair {
    long low, high;
};
static struct pair pair;
void update(void)
{
    pair.low = 1;
    pair.high = 1;
}
int main(void)
{
    struct pair copy = pair;
    assert(copy.low == copy.high);
    return 0;
}
