#ifndef __HONE_STDNORETURN_H
#define __HONE_STDNORETURN_H
#define noreturn _Noreturn
#endif
