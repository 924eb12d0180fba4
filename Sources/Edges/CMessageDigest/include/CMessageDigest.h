// The digest of a file by libmd, whose header is not one that Swift can import everywhere.
#pragma once

/// Reads the file at `path` and writes the 64 hexadecimal digits of its SHA-256, and a NUL, to `digits`. Returns 0, or -1 with errno set.
int timeline_sha256_file(const char *path, char digits[65]);
