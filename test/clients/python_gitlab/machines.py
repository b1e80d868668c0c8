"""What guards a repository and opens it to machines: protected tags, deploy keys and deploy tokens; and GPG keys."""

import base64
import os

from journey import Journey
from people import new_key


def new_gpg_key():
    """A fresh public key, armoured, of which nobody has the private half (RFC 4880)."""
    point = bytes.fromhex("046000000016092b06010401da470f01010740") + os.urandom(32)
    name = b"Author <author@example.com>"
    packets = bytes([0xC6, len(point)]) + point + bytes([0xCD, len(name)]) + name
    body = base64.b64encode(packets).decode()
    return f"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{body}\n-----END PGP PUBLIC KEY BLOCK-----"


class Machines(Journey):
    def setUp(self):
        self.project = self.new_project()

    def test_protected_tags(self):
        tag = self.project.protectedtags.create({"name": "v*", "create_access_level": 40})
        self.assertEqual(tag.create_access_levels[0]["access_level_description"], "Maintainers")
        self.assertEqual([found.name for found in self.project.protectedtags.list()], ["v*"])
        self.project.protectedtags.get("v*").delete()
        self.assertEqual(self.project.protectedtags.list(), [])

    def test_deploy_keys(self):
        key = self.project.keys.create({"title": "Machine", "key": new_key(), "can_push": True})
        self.assertEqual([found.id for found in self.project.keys.list()], [key.id])
        key.title = "Engine"
        key.save()
        found = self.project.keys.get(key.id)
        self.assertEqual((found.title, found.can_push), ("Engine", True))

        other = self.new_project()
        other.keys.enable(key.id)
        self.assertFalse(other.keys.get(key.id).can_push)
        self.assertIn(key.id, [found.id for found in self.admin.deploykeys.list(iterator=True)])
        key.delete()
        self.assertEqual(self.project.keys.list(), [])

    def test_deploy_tokens(self):
        group = self.new_group()
        for place in (self.project, group):
            with self.subTest(type(place).__name__):
                token = place.deploytokens.create({"name": "Mirror", "scopes": ["read_repository"], "username": "", "expires_at": ""})
                self.assertEqual((len(token.token), token.username), (20, f"gitlab+deploy-token-{token.id}"))
                self.assertEqual([found.id for found in place.deploytokens.list()], [token.id])
                self.assertIn(token.id, [found.id for found in self.admin.deploytokens.list(iterator=True)])
                token.delete()
                self.assertEqual(place.deploytokens.list(), [])

    def test_mirrors(self):
        mirror = self.project.remote_mirrors.create({"url": "https://user:token@git.example.com/copy.git"})
        self.assertEqual((mirror.enabled, mirror.update_status), (False, "none"))
        self.assertEqual(mirror.url, "https://*****:*****@git.example.com/copy.git")
        mirror.enabled = True
        mirror.only_protected_branches = True
        mirror.save()
        found = self.project.remote_mirrors.list()
        self.assertEqual([(one.id, one.enabled, one.only_protected_branches) for one in found], [(mirror.id, True, True)])
        self.project.mirror = True
        self.project.import_url = "http://user:token@10.0.0.1/source.git"
        self.project.save()
        self.project.mirror_pull()

    def test_hooks(self):
        for place in (self.project, self.new_group()):
            with self.subTest(type(place).__name__):
                hook = place.hooks.create({"url": "https://ci.example.com/hook", "token": "hush", "issues_events": True})
                self.assertTrue(hook.push_events and hook.issues_events)
                hook.push_events = False
                hook.save()
                self.assertFalse(place.hooks.get(hook.id).push_events)
                self.assertEqual([found.id for found in place.hooks.list()], [hook.id])
                hook.delete()
                self.assertEqual(place.hooks.list(), [])

    def test_system_hooks(self):
        hook = self.admin.hooks.create({"url": "https://ci.example.com/hook", "push_events": True})
        self.assertTrue(self.admin.hooks.get(hook.id).push_events)
        self.assertIn(hook.id, [found.id for found in self.admin.hooks.list(iterator=True)])
        hook.delete()


class GpgKeys(Journey):
    def test_gpg_keys(self):
        user = self.new_user()
        me = self.client_of(user)
        me.auth()
        key = me.user.gpgkeys.create({"key": new_gpg_key()})
        self.assertEqual([found.id for found in user.gpgkeys.list()], [key.id])
        self.assertEqual(me.user.gpgkeys.get(key.id).key, key.key)
        key.delete()
        self.assertEqual(me.user.gpgkeys.list(), [])

        given = user.gpgkeys.create({"key": new_gpg_key()})
        user.gpgkeys.delete(given.id)
        self.assertEqual(user.gpgkeys.list(), [])
