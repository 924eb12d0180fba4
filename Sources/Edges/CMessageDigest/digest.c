#include "CMessageDigest.h"

#include <sha2.h>

int timeline_sha256_file(const char *path, char digits[65]) {
  return SHA256File(path, digits) ? 0 : -1;
}
