// Functions and events of a program, for pview record. Without the recorder they do nothing: the symbols are weak.
#ifndef PVIEW_H
#define PVIEW_H
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) void pview_record_event(unsigned type, long long value);
__attribute__((weak)) void pview_record_begin(const char *name);
__attribute__((weak)) void pview_record_end(void);
#ifdef __cplusplus
}
#endif
// pview_event marks the time with a value of an event type of your own, such as 1000.
static inline void pview_event(unsigned type, long long value) { if (pview_record_event) pview_record_event(type, value); }
// pview_begin begins a part of the program that is shown as a function; name must be a constant. pview_end ends it.
static inline void pview_begin(const char *name) { if (pview_record_begin) pview_record_begin(name); }
static inline void pview_end(void) { if (pview_record_end) pview_record_end(); }
#endif
