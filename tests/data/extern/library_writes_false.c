// expect: false
// A library function without a model may write where its arguments point to.
#include <wchar.h>
extern void reach_error(void);

int main(void) {
    wchar_t w[4] = {0};
    wcscpy(w, L"a");
    if (w[0]) reach_error();
    return 0;
}
