"""What the chapters share: an administrator's client of the server under test, and people, groups and projects.

The server's address and the administrator's token come in the environment (INGOT_URL, INGOT_TOKEN).
"""

import itertools
import os
import unittest

import gitlab

URL = os.environ["INGOT_URL"]
_numbers = itertools.count(1)


def unique(noun):
    """A name that nothing else has: chapters run side by side on one server."""
    return f"{noun}-{os.getpid()}-{next(_numbers)}"


def client(token, **options):
    """A client with a user's token."""
    return gitlab.Gitlab(URL, private_token=token, **options)


class Journey(unittest.TestCase):
    """A chapter. `self.admin` is the administrator's client."""

    maxDiff = None
    admin = client(os.environ["INGOT_TOKEN"])

    def new_user(self, **attributes):
        """A new user, as the administrator sees them."""
        name = unique("person")
        defaults = {"username": name, "name": f"Name of {name}", "email": f"{name}@example.com", "password": "correct horse 7"}
        return self.admin.users.create({**defaults, **attributes})

    def client_of(self, user):
        """The client of a user, by an impersonation token."""
        token = user.impersonationtokens.create({"name": "journey", "scopes": ["api"]})
        return client(token.token)

    def new_group(self, **attributes):
        path = unique("group")
        return self.admin.groups.create({"name": f"Name of {path}", "path": path, **attributes})

    def new_project(self, **attributes):
        return self.admin.projects.create({"name": unique("project"), **attributes})
