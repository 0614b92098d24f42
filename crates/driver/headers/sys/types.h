#ifndef __HONE_SYS_TYPES_H
#define __HONE_SYS_TYPES_H
#include <stddef.h>
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
#if __SIZEOF_POINTER__ > __SIZEOF_LONG__
typedef long long time_t;
#else
typedef long time_t;
#endif
#endif
