#define NUMBER 10
