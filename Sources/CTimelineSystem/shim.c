#include "CTimelineSystem.h"
