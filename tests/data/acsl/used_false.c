// expect: false
// environment: --acsl --use-contract half
/*@ requires x >= 0;
  @ assigns \nothing;
  @ ensures \result <= x; */
int half(int x);

int main(void) {
    int y = half(8);
    //@ assert y >= 0;
    return 0;
}
