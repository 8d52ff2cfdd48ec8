/* A static program that does nothing: what starting a process costs. */
int main(void) {
    return 0;
}
