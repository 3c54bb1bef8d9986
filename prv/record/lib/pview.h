// Regions and events of a program in what `pview record` records. Without the recorder the calls do nothing.
#ifndef PVIEW_H
#define PVIEW_H
#ifdef __cplusplus
extern "C" {
#endif
void pview_record_begin(const char *name) __attribute__((weak));
void pview_record_end(void) __attribute__((weak));
void pview_record_event(unsigned type, long long value) __attribute__((weak));
#ifdef __cplusplus
}
#endif
#define PVIEW_INLINE static inline __attribute__((no_instrument_function))
// pview_begin enters a region, of 255 characters at most; pview_end leaves the last one that the thread has entered.
PVIEW_INLINE void pview_begin(const char *name) { if (pview_record_begin) pview_record_begin(name); }
PVIEW_INLINE void pview_end(void) { if (pview_record_end) pview_record_end(); }
// pview_event writes an event: any type and value.
PVIEW_INLINE void pview_event(unsigned type, long long value) {
	if (pview_record_event) pview_record_event(type, value);
}
#endif
