"""Builds with setuptools. The same files give the same bytes, whoever owns them and whenever they changed.

SOURCE_DATE_EPOCH is the time of all files in the packages: https://reproducible-builds.org/specs/source-date-epoch/
"""

import gzip
import io
import os
import tarfile
import time
import zipfile
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

# The earliest time that a wheel can have is 1 January 1980.
BUILT_AT = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315_532_800)
MODE = 0o644


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    path = Path(wheel_directory, name)
    with zipfile.ZipFile(path) as wheel:
        contents = [(file, wheel.read(file)) for file in wheel.namelist()]
    with zipfile.ZipFile(path, "w") as wheel:
        for file, content in contents:
            member = zipfile.ZipInfo(file, time.gmtime(BUILT_AT)[:6])
            member.external_attr = MODE << 16
            wheel.writestr(member, content, zipfile.ZIP_DEFLATED)
    return name


def normalise(name):
    """Older versions of setuptools write a hyphen, which registries reject: https://peps.python.org/pep-0625/"""
    return name.replace("rostra-client-", "rostra_client-", 1)


def build_sdist(sdist_directory, config_settings=None):
    path = Path(sdist_directory, build_meta.build_sdist(sdist_directory, config_settings))
    with tarfile.open(path) as sdist:
        contents = [(normalise(file.name), sdist.extractfile(file).read()) for file in sdist if file.isfile()]
    path.unlink()
    name = normalise(path.name)
    with open(path.with_name(name), "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=BUILT_AT) as packed:
        with tarfile.open(fileobj=packed, mode="w") as sdist:
            for file, content in sorted(contents):
                member = tarfile.TarInfo(file)
                member.size, member.mtime, member.mode = len(content), BUILT_AT, MODE
                sdist.addfile(member, io.BytesIO(content))
    return name
