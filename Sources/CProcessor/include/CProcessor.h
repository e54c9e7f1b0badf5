#ifndef CPROCESSOR_H
#define CPROCESSOR_H
#endif
