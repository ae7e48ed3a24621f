"""Keeps a copy of all data in an SQLite file. The first run fills it, later runs request only the changes:

    python3 mirror-daily.py copy.db
    sqlite3 copy.db "SELECT json_extract(data, '$.status'), count(*) FROM object WHERE kind = 'submission' GROUP BY 1"

A run is one transaction, so a run that fails changes nothing, and the cursor always belongs to the data.
"""

import json
import sqlite3

from rostra_api import ApiError, get_json, read_argument

SCHEMA = """
    CREATE TABLE IF NOT EXISTS object (kind TEXT, id TEXT, data TEXT, PRIMARY KEY (kind, id));
    CREATE TABLE IF NOT EXISTS position (cursor TEXT);
"""

COMMON_FIELDS = ("kind", "id", "deleted", "data")


def apply_changes(copy):
    """Applies everything that changed after the stored cursor. Without a cursor, that is all data."""
    row = copy.execute("SELECT cursor FROM position").fetchone()
    query = {"cursor": row[0]} if row else {}
    while True:
        page = get_json("changes", limit=1000, **query)
        for change in page["data"]:
            copy.execute("DELETE FROM object WHERE kind = ? AND id = ?", (change["kind"], change["id"]))
            if not change["deleted"]:
                # Beside the data are further fields, such as the title and the answer of a submission.
                further = {name: value for name, value in change.items() if name not in COMMON_FIELDS}
                data = json.dumps({**change["data"], **further}, ensure_ascii=False)
                copy.execute("INSERT INTO object VALUES (?, ?, ?)", (change["kind"], change["id"], data))
        query["cursor"] = page["pagination"]["next_cursor"]
        if not page["pagination"]["has_more"]:
            break
    copy.execute("DELETE FROM position")
    copy.execute("INSERT INTO position VALUES (?)", (query["cursor"],))


copy = sqlite3.connect(read_argument("FILE"), isolation_level=None)
copy.executescript(SCHEMA)
with copy:
    copy.execute("BEGIN IMMEDIATE")
    try:
        apply_changes(copy)
    except ApiError as error:
        if error.error_code != "RESYNC_REQUIRED":
            raise
        # The cursor is not part of the current data, for example after the restore of a backup: make the copy anew.
        copy.execute("DELETE FROM object")
        copy.execute("DELETE FROM position")
        apply_changes(copy)
