"""The jobs of the daemon whose page is looked at: one runs well, one fails and writes markup, two share a group."""

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
JOBS = f"""
[group.db]
limit = 1

[job.check]
schedule = {{ periodic = {{ by = "5s" }} }}
plugin = "exec"
with = {{ command = ["/bin/true"] }}

[job.broken]
schedule = {{ periodic = {{ by = "2s" }} }}
plugin = "exec"
with = {{ command = ["/bin/sh", "-c", "echo '{HOSTILE}'; exit 7"] }}

[job.backup]
schedule = "on-demand"
plugin = "exec"
groups = ["db"]
with = {{ command = ["/bin/sleep", "60"] }}

[job.report]
schedule = {{ periodic = {{ by = "100s" }} }}
expected-duration = "150s"
plugin = "exec"
groups = ["db"]
with = {{ command = ["/bin/true"] }}
"""
