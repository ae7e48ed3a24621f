"""Prints every submission as one line of JSON, newest first. Arguments are filters:

    python3 list-submissions.py status=accepted "topic=Parks & trees" > submissions.ndjson
"""

import json
import sys

from rostra_api import read_items

filters = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
for submission in read_items("submissions", **filters):
    print(json.dumps(submission))
