#pragma once
#include <libpq-fe.h>

/* Connects by the connection string `info`; what is set here comes after it and so replaces what it says. In C because it takes arrays of
   strings. Never NULL but when memory is short.

   `primary` and not `read-write`: a server that only reads for now, by default_transaction_read_only, is to refuse calls by a code, where
   a connection that fails tells none. */
static inline PGconn *timeline_pq_connect(const char *info) {
  const char *const names[] = {"dbname",  "application_name", "client_encoding", "connect_timeout", "tcp_user_timeout", "target_session_attrs", NULL};
  const char *const values[] = {info, "timeline-store", "UTF8", "5", "10000", "primary", NULL};
  return PQconnectdbParams(names, values, 1);
}

/* Drops messages of the server that are no errors. */
static inline void timeline_pq_ignore_notice(void *context, const PGresult *notice) {
  (void)context;
  (void)notice;
}

static inline void timeline_pq_ignore_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, timeline_pq_ignore_notice, NULL);
}

/* The field of an error that has its SQLSTATE; Swift does not import characters that are macros. */
static inline const char *timeline_pq_state(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_SQLSTATE); }

/* The field of an error with the server's message. */
static inline const char *timeline_pq_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
