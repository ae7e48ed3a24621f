"""What the client does when a server, a proxy or the network fails."""

import gzip
import json
import pickle
import random
import threading
import unittest
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest.mock import patch

from rostra_client import (
    InvalidResponseError,
    NetworkError,
    RateLimitedError,
    RostraClient,
    RostraError,
    UnavailableError,
    __version__,
)

KEY = "sk_rostra_test"
ME = json.dumps({"organization_id": "1", "key_prefix": KEY, "key_name": "Test"}).encode()


def respond(status, body=b"<h1>Bad gateway</h1>", **headers):
    def send(handler):
        handler.send_response(status)
        for name, value in {"Content_Length": len(body), **headers}.items():
            handler.send_header(name.replace("_", "-"), str(value))
        handler.end_headers()
        handler.wfile.write(body)

    return send


def close(handler):
    handler.close_connection = True


def drip(handler):
    """Sends a response without end."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        threading.Event().wait(0.01)


class Faults(unittest.TestCase):
    def start_server(self, *answers):
        """Gives these answers first, then the one of the API. Returns the URL and the headers of requests."""
        waiting, requests = list(answers), []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(self.headers)
                answer = waiting.pop(0) if waiting else respond(200, ME)
                try:
                    answer(self)
                except ConnectionError:
                    pass

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}", requests

    def setUp(self):
        # The lowest number, so that waits without Retry-After are known.
        self.start_patch(patch.object(random, "random", return_value=0))
        self.sleep = self.start_patch(patch("rostra_client.connection.time.sleep"))

    def start_patch(self, patcher):
        self.addCleanup(patcher.stop)
        return patcher.start()

    def list_waits(self):
        return [call.args[0] for call in self.sleep.call_args_list]

    def test_temporary_errors_and_broken_connections_are_retried(self):
        cut = respond(200, ME, Content_Length=len(ME) + 1)
        past = formatdate(0, usegmt=True)
        temporary = [respond(status, Retry_After=status / 100) for status in (408, 500, 502)]
        answers = [close, cut, respond(503, Retry_After=7), respond(429, Retry_After=past), *temporary]
        url, requests = self.start_server(*answers)
        with self.assertLogs("rostra_client", "WARNING") as log:
            self.assertEqual(RostraClient(url, KEY, max_retries=7).me()["key_name"], "Test")
        self.assertEqual(len(requests), 8)
        # A number with decimals is not a valid Retry-After.
        self.assertEqual(self.list_waits(), [0.5, 1, 7, 0, 8, 16, 32])
        self.assertEqual(len(log.output), 7)
        self.assertNotIn(KEY, str(log.output))

    def test_by_default_the_waits_outlast_a_restart_of_30_seconds(self):
        for answer in (close, respond(503, Retry_After=1), respond(503, Retry_After=0), respond(502)):
            self.sleep.reset_mock()
            url, _ = self.start_server(*[answer] * 20)
            with self.assertLogs("rostra_client"), self.assertRaises(RostraError):
                RostraClient(url, KEY).me()
            self.assertGreater(sum(self.list_waits()), 30)

    def test_retries_and_waits_are_limited(self):
        url, requests = self.start_server(*[respond(503)] * 9)
        with self.assertLogs("rostra_client"), self.assertRaises(UnavailableError) as caught:
            RostraClient(url, KEY, max_retries=2, max_retry_delay_seconds=0.75).me()
        self.assertEqual((caught.exception.status, caught.exception.code), (503, "UNAVAILABLE"))
        self.assertEqual((len(requests), self.list_waits()), (3, [0.5, 0.75]))

    def test_a_walk_ends_with_an_error_if_a_page_leads_to_itself(self):
        pagination = {"limit": 1, "next_cursor": "first", "has_more": True}
        page = respond(200, json.dumps({"data": [{"id": "1"}], "pagination": pagination}).encode())
        url, requests = self.start_server(page, page, page)
        received = []
        with self.assertRaises(InvalidResponseError) as caught:
            received.extend(record["id"] for record in RostraClient(url, KEY).submissions())
        self.assertIn("this page again", str(caught.exception))
        self.assertEqual((len(requests), received), (2, ["1"]))

    def test_the_client_does_not_wait_longer_than_allowed(self):
        body = json.dumps({"error": "Wait.", "code": "RATE_LIMITED"}).encode()
        url, requests = self.start_server(respond(429, body, Retry_After=3600))
        with self.assertRaises(RateLimitedError) as caught:
            RostraClient(url, KEY, max_retry_delay_seconds=3599).me()
        self.assertEqual((caught.exception.retry_after_seconds, len(requests)), (3600, 1))

    def test_a_refused_connection_is_a_network_error(self):
        url, _ = self.start_server()
        self.doCleanups()
        with self.assertRaisesRegex(NetworkError, "refused") as caught:
            RostraClient(url, KEY, max_retries=0).me()
        self.assertIsNone(caught.exception.status)
        self.assertIsInstance(caught.exception.__cause__, OSError)

    def test_a_server_that_does_not_finish_its_response_meets_the_timeout(self):
        finish = threading.Event()
        self.addCleanup(finish.set)
        for answer in (lambda _: finish.wait(), drip):
            url, _ = self.start_server(answer)
            with self.assertRaises(NetworkError):
                RostraClient(url, KEY, max_retries=0, timeout_seconds=0.1).me()

    def test_redirects_are_not_followed(self):
        other, received = self.start_server()
        for status in (301, 302, 303, 307, 308):
            url, _ = self.start_server(respond(status, Location=f"{other}/api/v1/me"))
            with self.assertRaisesRegex(InvalidResponseError, f"HTTP {status}, .* Check the URL") as caught:
                RostraClient(url, KEY).me()
            self.assertEqual(caught.exception.status, status)
        self.assertEqual(received, [])

    def test_other_responses_are_errors_without_a_retry(self):
        for body in (b"<html></html>", b'{"status": "ok"}', b"[]", b"\xff", b"[" * 100_000):
            url, requests = self.start_server(respond(200, body))
            with self.assertRaisesRegex(InvalidResponseError, "^HTTP 200, "):
                RostraClient(url, KEY).me()
            self.assertEqual(len(requests), 1)

    def test_compressed_responses_are_read_up_to_a_limit(self):
        compressed = respond(200, gzip.compress(ME), Content_Encoding="gzip")
        url, [] = self.start_server(compressed, compressed)
        self.assertEqual(RostraClient(url, KEY).me()["key_name"], "Test")
        with patch("rostra_client.connection._MAX_RESPONSE_BYTES", len(ME) - 1):
            with self.assertRaisesRegex(InvalidResponseError, "more than"):
                RostraClient(url, KEY).me()

    def test_requests_name_the_client_and_accept_compression(self):
        url, requests = self.start_server()
        RostraClient(url, KEY).me()
        names = ("Authorization", "User-Agent", "Accept-Encoding")
        expected = [f"Bearer {KEY}", f"rostra-client-python/{__version__}", "gzip"]
        self.assertEqual([requests[0][name] for name in names], expected)

    def test_a_host_can_have_umlauts(self):
        self.start_patch(patch("socket.getaddrinfo", side_effect=OSError))
        for url in ("https://daten.münchen.example:8443/", "https://daten.xn--mnchen-3ya.example:8443/api/v1"):
            with self.assertRaises(NetworkError) as caught:
                RostraClient(url, KEY, max_retries=0).me()
            self.assertEqual(caught.exception.url, "https://daten.xn--mnchen-3ya.example:8443/api/v1/me")

    def test_wrong_options_are_rejected_before_a_request(self):
        for url in ("", "data.example.org", "file:///etc/passwd", "ftp://data.example.org", "https://"):
            with self.assertRaisesRegex(ValueError, "base_url must be"):
                RostraClient(url, KEY)
        for key in (None, "", "\n"):
            with self.assertRaisesRegex(ValueError, "api_key is missing"):
                RostraClient("https://data.example.org", key)
        for key in ("sk_rostra_1\nsk_rostra_2", "sk_rostra_1 2", "sk_rostra_…"):
            with self.assertRaisesRegex(ValueError, "api_key has a space, a line break") as caught:
                RostraClient("https://data.example.org", key)
            self.assertNotIn("sk_rostra", str(caught.exception))

    def test_a_line_break_at_the_end_of_a_key_is_trimmed(self):
        for end in ("\n", "\r\n", "  "):
            url, requests = self.start_server(respond(200, ME))
            RostraClient(url, KEY + end).me()
            self.assertEqual(requests[0]["Authorization"], f"Bearer {KEY}")

    def test_errors_can_be_pickled(self):
        error = UnavailableError("Stopping.", "UNAVAILABLE", "https://data.example.org", 503, "1", 2.0)
        copy = pickle.loads(pickle.dumps(error))
        self.assertIsInstance(copy, RostraError)
        self.assertEqual((type(copy), vars(copy)), (UnavailableError, vars(error)))


if __name__ == "__main__":
    unittest.main()
