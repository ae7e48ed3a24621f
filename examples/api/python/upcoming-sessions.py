"""Prints the sessions of today and later, earliest first: python3 upcoming-sessions.py"""

from datetime import datetime
from zoneinfo import ZoneInfo

from rostra_api import get_json, read_items

# Dates are local dates of the municipality. Windows has no time zones: pip install tzdata.
zone = ZoneInfo(get_json("organization")["data"]["timeZone"])
today = datetime.now(zone).date().isoformat()

upcoming = read_items("search/sessions", date_from=today)
for session in sorted(upcoming, key=lambda session: (session["date"], session["timeSlot"] or "")):
    print(
        session["date"],
        session["timeSlot"] or "",
        session["committeeName"],
        session["submissionCount"],
        sep="\t",
    )
