// expect: false
// environment: --acsl --check-contract count
/*@ requires n <= 10;
  @ assigns \nothing;
  @ ensures \result == n;
  @*/
unsigned count(unsigned n) {
    unsigned i = 0;
    //@ loop invariant i < n;
    //@ loop assigns i;
    while (i < n)
        i++;
    return i;
}

int main(void) {
    return (int)count(4);
}
