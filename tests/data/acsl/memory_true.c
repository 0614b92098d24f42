// expect: true
// environment: --acsl --check-contract swap --check-contract fill
// checks: assertions,memory
// What may be accessed, lies apart, and is written.
struct pair { int first, second; };

/*@ requires \valid(a) && \valid(b) && \separated(a, b);
  @ assigns *a, b->first, b->second;
  @ ensures a->first == \old(b->first) && b->second == \at(a->second, Pre);
  @*/
void swap(struct pair *a, struct pair *b) {
    struct pair c = *a;
    *a = *b;
    *b = c;
}

/*@ requires n <= 8;
  @ requires \valid(p + (0 .. n - 1));
  @ assigns p[0 .. n - 1];
  @ ensures \forall unsigned k; k < n ==> p[k] == value;
  @*/
void fill(unsigned char *p, unsigned n, unsigned char value) {
    /*@ loop invariant 0 <= i <= n;
      @ loop invariant \forall integer k; 0 <= k < i ==> p[k] == value;
      @ loop assigns i, p[0 .. n - 1];
      @*/
    for (unsigned i = 0; i < n; i++)
        p[i] = value;
}

int main(void) {
    struct pair x = {1, 2}, y = {3, 4};
    swap(&x, &y);
    //@ assert x.second == 4 && \valid(&x) && !\valid((int *)\null);
    unsigned char text[6] = {0};
    fill(text + 1, 4, 7);
    //@ assert text[0] == 0 && text[5] == 0;
    //@ assert text[4] == 7;
    return 0;
}
