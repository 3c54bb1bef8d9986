// Regions and events of a program for `pview record`, and variables for `pview steer` to change. Without the recorder
// the calls do nothing.
#ifndef PVIEW_H
#define PVIEW_H
#ifdef __cplusplus
extern "C" {
#endif
void pview_record_begin(const char *name) __attribute__((weak));
void pview_record_end(void) __attribute__((weak));
void pview_record_event(unsigned type, long long value) __attribute__((weak));
void pview_record_tunable(const char *name, void *value, int whole, double low, double high) __attribute__((weak));
void pview_record_sync(void) __attribute__((weak));
#ifdef __cplusplus
}
#endif
#define PVIEW_INLINE static inline __attribute__((no_instrument_function))
// pview_begin enters a region, whose name has at most 255 characters; pview_end leaves the last one that the thread has
// entered.
PVIEW_INLINE void pview_begin(const char *name) { if (pview_record_begin) pview_record_begin(name); }
PVIEW_INLINE void pview_end(void) { if (pview_record_end) pview_record_end(); }
// pview_event writes an event: any type and value.
PVIEW_INLINE void pview_event(unsigned type, long long value) {
	if (pview_record_event) pview_record_event(type, value);
}
// pview_tunable_int and pview_tunable_double allow pview_sync to change a variable within two limits. A variable that
// several ranks register changes in all of them at the same pview_sync, counted from the first.
PVIEW_INLINE void pview_tunable_int(const char *name, int *value, int low, int high) {
	if (pview_record_tunable) pview_record_tunable(name, value, 1, low, high);
}
PVIEW_INLINE void pview_tunable_double(const char *name, double *value, double low, double high) {
	if (pview_record_tunable) pview_record_tunable(name, value, 0, low, high);
}
// pview_sync begins an iteration: the only place where variables change. One thread of a process calls it, after
// MPI_Init.
PVIEW_INLINE void pview_sync(void) { if (pview_record_sync) pview_record_sync(); }
#endif
