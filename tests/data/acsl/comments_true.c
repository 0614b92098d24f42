// expect: true
// Without --acsl, what looks like an annotation is a comment.
/*@{*/
/*@ requires nonsense here; */
int f(int x) {
    //@ assert \false;
    return x;
}
/*@}*/

int main(void) {
    return f(0) /*@ and here @*/;
}
