"""A service manager's descriptor store: it keeps what the daemon hands over and passes it to the next daemon.

It speaks sd_notify(3)'s FDSTORE and sd_listen_fds(3), as systemd does.
"""

import os
import socket
import subprocess
import sys
import threading

# Becomes the daemon with the kept descriptors at 3, 4, 5 ...: arguments are their present numbers, "--" and the command.
LAUNCH = """
import os, sys
split = sys.argv.index("--")
# Out of the way first, so that no copy lands on a number that is still to be copied.
high = [os.dup2(int(number), 500 + index) for index, number in enumerate(sys.argv[1:split])]
for index, number in enumerate(high):
    os.dup2(number, 3 + index, inheritable=True)
os.closerange(3 + len(high), 1000)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[split + 1], sys.argv[split + 1:])
"""


class DescriptorStore:
    def __init__(self, path):
        self.path = path
        self.kept = []  # (name, descriptor)
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(path)
        threading.Thread(target=self._serve, daemon=True).start()

    def start(self, command, env, **options):
        """Starts the daemon, with everything that is kept."""
        with self._lock:
            kept, self.kept = self.kept, []
        # A descriptor that was passed stays kept until the daemon has it removed, as systemd keeps it.
        env = {**env, "NOTIFY_SOCKET": self.path}
        if kept:
            env |= {"LISTEN_FDS": str(len(kept)), "LISTEN_FDNAMES": ":".join(name for name, _ in kept)}
        numbers = [number for _, number in kept]
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *map(str, numbers), "--", *command], env=env, pass_fds=numbers, **options)
        with self._lock:
            self.kept = kept + self.kept
        return process

    def drop(self):
        """Lets go of everything, as for a service that was stopped."""
        with self._lock:
            for _, number in self.kept:
                os.close(number)
            self.kept = []

    def _serve(self):
        while True:
            text, numbers, _, _ = socket.recv_fds(self._socket, 65536, 64)
            lines = text.decode(errors="replace").split("\n")
            name = next((line.split("=", 1)[1] for line in lines if line.startswith("FDNAME=")), "stored")
            with self._lock:
                if "FDSTORE=1" in lines:
                    self.kept += [(name, number) for number in numbers]
                else:
                    for number in numbers:
                        os.close(number)
                if "FDSTOREREMOVE=1" in lines:
                    for other, number in self.kept:
                        if other == name:
                            os.close(number)
                    self.kept = [(other, number) for other, number in self.kept if other != name]
