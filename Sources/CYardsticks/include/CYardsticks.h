#ifndef CYARDSTICKS_H
#define CYARDSTICKS_H
#endif
