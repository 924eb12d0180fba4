#include "timelined_plugin.h"
