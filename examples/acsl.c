// args: --acsl --check-contract sum
// A function and its loop, with contracts in ACSL.   hone check --acsl --check-contract sum examples/acsl.c
#include <assert.h>

/*@ requires 0 <= n <= 100 && \valid_read(a + (0 .. n - 1));
  @ requires \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 1000;
  @ assigns \nothing;
  @ ensures 0 <= \result <= 1000 * n;
  @*/
int sum(const int *a, int n)
{
    int total = 0;
    /*@ loop invariant 0 <= i <= n;
      @ loop invariant 0 <= total <= 1000 * i;
      @ loop assigns i, total;
      @ loop variant n - i;
      @*/
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

int main(void)
{
    int a[3] = {1, 2, 3};
    int total = sum(a, 3);
    assert(total <= 3000);
    return 0;
}
