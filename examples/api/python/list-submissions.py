"""Prints every submission as one line of JSON, newest first: python3 list-submissions.py > submissions.ndjson"""

import json

from rostra_api import read_items

# Filters are further arguments: read_items("submissions", status="accepted").
for submission in read_items("submissions"):
    print(json.dumps(submission))
