#include "CYardsticks.h"
