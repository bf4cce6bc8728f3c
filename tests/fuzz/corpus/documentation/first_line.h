*/ */
#if

int f();
