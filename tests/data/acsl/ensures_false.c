// expect: false
// environment: --acsl --check-contract larger
/*@ assigns \nothing;
  @ ensures \result >= x;
  @ ensures \result > y;
  @*/
int larger(int x, int y) {
    return x > y ? x : y;
}

int main(void) {
    return larger(3, 3);
}
