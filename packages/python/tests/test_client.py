"""What the client returns equals the JSON of the installation ROSTRA_TEST_URL.

The key ROSTRA_TEST_KEY reads records of each kind, ROSTRA_TEST_LARGE_KEY a municipality with more submissions than a page has.
"""

import json
import os
import unittest
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import get_args
from urllib.request import Request, urlopen

from rostra_client import (
    BadRequestError,
    ErrorCode,
    NotFoundError,
    RostraClient,
    RostraError,
    UnauthorizedError,
)
from rostra_client.errors import find_error_class

URL = os.environ["ROSTRA_TEST_URL"]
KEY = os.environ["ROSTRA_TEST_KEY"]
LARGE_KEY = os.environ["ROSTRA_TEST_LARGE_KEY"]
MISSING_ID = "ffffffff-ffff-4fff-bfff-ffffffffffff"

client = RostraClient(URL, KEY)


def read(path, key=KEY):
    request = Request(f"{URL}/api/v1{path}", headers={"Authorization": f"Bearer {key}"})
    with urlopen(request) as response:
        return json.load(response)


class Reading(unittest.TestCase):
    def test_methods_return_what_the_api_returns(self):
        lists = ("submissions", "sessions", "surveys")
        submission, session, survey = (read(f"/{name}")["data"][0]["id"] for name in lists)
        for found, path in [
            (client.organization(), "/organization"),
            (client.statistics(), "/statistics"),
            (list(client.facets()), "/facets?limit=100"),
            (list(client.facets(kind="topic")), "/facets?limit=100&kind=topic"),
            (client.submission(submission), f"/submissions/{submission}"),
            (client.session(session), f"/sessions/{session}"),
            (client.survey_results(survey), f"/surveys/{survey}/results"),
            (list(client.submissions()), "/submissions?limit=100"),
            (list(client.sessions()), "/sessions?limit=100"),
            (list(client.support()), "/support?limit=100"),
            (list(client.surveys()), "/surveys?limit=100"),
            (list(client.search_submissions()), "/search/submissions?limit=100"),
            (list(client.search_sessions(direction="asc")), "/search/sessions?limit=100&direction=asc"),
            ([change for page in client.changes() for change in page.changes], "/changes?limit=1000"),
        ]:
            with self.subTest(path):
                self.assertTrue(found)
                self.assertEqual(found, read(path)["data"])
        self.assertEqual(client.health(), read("/health"))
        self.assertEqual(client.me(), read("/me"))

    def test_filters_reach_the_api(self):
        topic = '100 % "Grün"'
        self.assertEqual({found["topicCategoryName"] for found in client.submissions(topic=topic)}, {topic})
        both = {found["status"] for found in client.search_submissions(status=["accepted", "rejected"])}
        self.assertEqual(both, {"accepted", "rejected"})
        one = {found["status"] for found in client.search_submissions(status="accepted")}
        self.assertEqual(one, {"accepted"})
        self.assertEqual(list(client.search_submissions(created_from="2999-01-01")), [])
        self.assertEqual(client.statistics(from_="2999-01-01")["submissions"], [])
        with self.assertRaisesRegex(ValueError, "status has no values"):
            list(client.search_submissions(status=[]))

    def test_a_list_has_no_limit_and_fetches_its_pages_when_it_needs_them(self):
        large = RostraClient(URL, LARGE_KEY)
        ids = [submission["id"] for submission in large.submissions()]
        self.assertEqual(len(ids), 250)
        self.assertEqual(len(set(ids)), 250)
        with self.assertLogs("rostra_client", "DEBUG") as log:
            self.assertEqual([found["id"] for found in islice(large.submissions(), 101)], ids[:101])
        self.assertEqual(len(log.output), 2)

    def test_a_walk_page_by_page_can_be_resumed_after_a_page(self):
        large = RostraClient(URL, LARGE_KEY)
        everything = list(large.submissions())
        first = next(large.submissions().pages())
        self.assertEqual((first.records, first.has_more), (everything[:100], True))
        self.assertEqual(list(large.submissions(cursor=first.cursor)), everything[100:])
        pages = list(large.submissions(cursor=first.cursor).pages())
        self.assertEqual([len(page.records) for page in pages], [100, 50])
        self.assertEqual((pages[-1].cursor, pages[-1].has_more), (None, False))

    def test_changes_can_begin_at_the_end(self):
        (page,) = client.changes(start="end")
        self.assertEqual((page.changes, page.has_more), ([], False))
        (later,) = client.changes(cursor=page.cursor)
        self.assertEqual(later.changes, [])

    def test_changes_continue_at_a_cursor(self):
        *_, last = client.changes(kind="session")
        self.assertFalse(last.has_more)
        self.assertEqual({change["kind"] for change in last.changes}, {"session"})
        [idle] = client.changes(kind="session", cursor=last.cursor)
        self.assertEqual(idle.changes, [])

    def test_the_url_can_end_in_a_slash_or_in_api_v1(self):
        for end in ("", "/", "/api/v1", "/api/v1/"):
            self.assertEqual(RostraClient(URL + end, KEY).me(), client.me())

    def test_threads_share_a_client(self):
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: list(client.submissions()), range(4)))
        self.assertEqual(found, [read("/submissions?limit=100")["data"]] * 4)


class Failing(unittest.TestCase):
    def test_errors_have_a_class_the_status_the_code_the_sentence_and_the_request_id(self):
        unknown = RostraClient(URL, "sk_rostra_unknown")
        for call, error_class, status, code, message in [
            (lambda: client.submission(MISSING_ID), NotFoundError, 404, "NOT_FOUND", "^Resource not found"),
            (lambda: client.session("../me"), NotFoundError, 404, "NOT_FOUND", "not found"),
            (lambda: unknown.me(), UnauthorizedError, 401, "UNAUTHORIZED", "API key"),
            (lambda: list(client.submissions(status="")), BadRequestError, 400, "BAD_REQUEST", '"status"'),
            (lambda: list(client.changes(cursor="AAAA")), BadRequestError, 400, "BAD_REQUEST", '"cursor"'),
        ]:
            with self.subTest(message), self.assertRaises(error_class) as caught:
                call()
            error = caught.exception
            self.assertEqual((error.status, error.code), (status, code))
            self.assertRegex(error.message, message)
            self.assertRegex(error.request_id, "^[0-9a-f-]{36}$")
            self.assertEqual(str(error), f"{error.message} ({code}, HTTP {status}, request {error.request_id})")
            self.assertTrue(error.url.startswith(f"{URL}/api/v1/"))

    def test_every_code_of_the_contract_has_a_class(self):
        classes = {find_error_class(code) for code in get_args(ErrorCode)}
        self.assertNotIn(RostraError, classes)
        self.assertEqual(len(classes), len(get_args(ErrorCode)))


if __name__ == "__main__":
    unittest.main()
