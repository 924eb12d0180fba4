/* A library, but no plugin: it does not export timelined_plugin_entry. */
int something_else(void);

__attribute__((visibility("default"))) int something_else(void) { return 42; }
