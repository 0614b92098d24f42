// expect: true
// environment: --acsl --check-contract sum --check-contract clamp --use-contract scale
// checks: assertions,overflow,memory
// Functions and a loop with contracts in comments.
#define LIMIT 100

/*@ requires 0 <= n <= 100 && \valid_read(a + (0 .. n - 1));
  @ requires \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 1000;
  @ assigns \nothing;
  @ ensures 0 <= \result <= 1000 * n;
  @*/
int sum(const int *a, int n) {
    int total = 0;
    /*@ loop invariant 0 <= i <= n;
      @ loop invariant 0 <= total <= 1000 * i;
      @ loop assigns i, total;
      @ loop variant n - i;
      @*/
    for (int i = 0; i < n; i++) {
        total += a[i];
    }
    return total;
}

/*@ requires lo <= hi;
  @ assigns \nothing;
  @ behavior below: assumes x < lo; ensures \result == lo;
  @ behavior above: assumes x > hi; ensures \result == hi;
  @ behavior inside: assumes lo <= x <= hi; ensures is_x: \result == x;
  @ complete behaviors;
  @ disjoint behaviors below, above;
  @*/
int clamp(int x, int lo, int hi) {
    return x < lo ? lo : x > hi ? hi : x;
}

/*@ requires -1000 <= x <= 1000;
  @ assigns \nothing;
  @ ensures \result == 2 * x; */
int scale(int x);

int main(void) {
    int a[3] = {1, 2, 3};
    int total = sum(a, 3);
    //@ assert 0 <= total <= 3000;
    int y = clamp(total, 0, 10);
    //@ assert y <= 10;
    y = scale(y);
    //@ assert y % 2 == 0 && (y > 20 ==> \false);
    return 0;
}
