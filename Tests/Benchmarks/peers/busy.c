// busy.c: keeps a processor busy until it is ended.
int main(void) {
  for (;;) __asm__ volatile("");
}
