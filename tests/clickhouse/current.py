"""Answers queries over HTTP with chdb: as much of the protocol as the client uses. Prints its port.

Usage: current.py FOLDER
"""

import http.server
import os
import sys
import tempfile
import threading
import urllib.parse

from chdb.session import Session

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
session = Session(os.path.join(folder, "data"))
alone = threading.Lock()


def answer(sql, rows):
    """The bytes that a query is answered with. Rows to insert come from a file."""
    if rows is None:
        return session.query(sql).bytes() or b""
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(rows)
        file.flush()
        session.query(sql.replace(" FORMAT ", f" FROM INFILE '{file.name}' FORMAT "))
    return b""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        sql = asked.get("query")
        try:
            with alone:
                found = answer(sql, body) if sql else answer(body.decode(), None)
            status = 200
        except Exception as error:
            status, found = 500, str(error).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(found)))
        self.end_headers()
        self.wfile.write(found)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
