"""Users, their keys, emails, status and tokens."""

import base64
import os
import struct

import gitlab

from journey import Journey, client, unique


def new_key():
    """A fresh public key of OpenSSH, of which nobody has the private half."""
    fields = [b"ssh-ed25519", os.urandom(32)]
    body = b"".join(struct.pack(">I", len(field)) + field for field in fields)
    return f"ssh-ed25519 {base64.b64encode(body).decode()}"


class People(Journey):
    def test_auth_finds_who_one_is(self):
        user = self.new_user()
        me = self.client_of(user)
        me.auth()
        self.assertEqual((me.user.id, me.user.username), (user.id, user.username))

    def test_users_are_created_read_changed_and_deleted(self):
        user = self.new_user(bio="Gardener")
        self.assertEqual(user.state, "active")
        self.assertEqual(self.admin.users.get(user.id).bio, "Gardener")

        user.bio = "Sailor"
        user.save()
        self.assertEqual(self.admin.users.get(user.id).bio, "Sailor")

        user.delete(hard_delete=True)
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            self.admin.users.get(user.id)
        self.assertEqual(refused.exception.response_code, 404)

    def test_users_are_found(self):
        user = self.new_user()
        self.assertEqual([found.id for found in self.admin.users.list(username=user.username.upper())], [user.id])
        self.assertEqual([found.id for found in self.admin.users.list(search=user.email)], [user.id])
        self.assertEqual(self.admin.users.list(username=unique("nobody")), [])

    def test_accounts_are_blocked_banned_and_deactivated_and_come_back(self):
        user = self.new_user()
        for leave, state, come_back in [("block", "blocked", "unblock"), ("ban", "banned", "unban"), ("deactivate", "deactivated", "activate")]:
            with self.subTest(leave):
                self.assertTrue(getattr(user, leave)())
                self.assertEqual(self.admin.users.get(user.id).state, state)
                self.assertTrue(getattr(user, come_back)())
                self.assertEqual(self.admin.users.get(user.id).state, "active")

    def test_blocked_users_are_listed_apart(self):
        user = self.new_user()
        user.block()
        self.assertIn(user.id, [found.id for found in self.admin.users.list(blocked=True, search=user.username)])
        self.assertEqual(self.admin.users.list(active=True, search=user.username), [])

    def test_keys_of_oneself(self):
        me = self.client_of(self.new_user())
        me.auth()
        key = me.user.keys.create({"title": "laptop", "key": new_key()})
        self.assertEqual([found.id for found in me.user.keys.list()], [key.id])
        self.assertEqual(me.user.keys.get(key.id).title, "laptop")
        key.delete()
        self.assertEqual(me.user.keys.list(), [])

    def test_keys_of_others(self):
        user = self.new_user()
        key = user.keys.create({"title": "desk", "key": new_key()})
        self.assertEqual([found.id for found in user.keys.list()], [key.id])
        self.assertEqual(self.admin.keys.get(key.id).user["id"], user.id)
        key.delete()
        self.assertEqual(user.keys.list(), [])

    def test_emails(self):
        user = self.new_user()
        me = self.client_of(user)
        me.auth()
        own = me.user.emails.create({"email": f"{unique('own')}@example.com"})
        given = user.emails.create({"email": f"{unique('given')}@example.com", "skip_confirmation": True})
        self.assertEqual({found.id for found in me.user.emails.list()}, {own.id, given.id})
        self.assertEqual(me.user.emails.get(own.id).email, own.email)
        own.delete()
        self.assertEqual([found.id for found in user.emails.list()], [given.id])

    def test_status(self):
        user = self.new_user()
        me = self.client_of(user)
        me.auth()
        status = me.user.status.get()
        status.message = "Out at sea"
        status.emoji = "sailboat"
        status.save()
        seen = user.status.get()
        self.assertEqual((seen.message, seen.emoji), ("Out at sea", "sailboat"))

    def test_impersonation_tokens(self):
        user = self.new_user()
        token = user.impersonationtokens.create({"name": "robot", "scopes": ["read_user", "api"]})
        self.assertEqual([found.id for found in user.impersonationtokens.list(state="active")], [token.id])
        robot = client(token.token)
        robot.auth()
        self.assertEqual(robot.user.id, user.id)

        token.delete()
        self.assertEqual([found.id for found in user.impersonationtokens.list(state="inactive")], [token.id])
        with self.assertRaises(gitlab.GitlabAuthenticationError):
            robot.auth()

    def test_personal_access_tokens(self):
        user = self.new_user()
        token = user.personal_access_tokens.create({"name": "mine", "scopes": ["api"]})
        me = client(token.token)
        self.assertEqual([found.id for found in me.personal_access_tokens.list()], [token.id])
        me.personal_access_tokens.delete(token.id)
        with self.assertRaises(gitlab.GitlabAuthenticationError):
            me.auth()

    def test_sudo_acts_as_another(self):
        user = self.new_user()
        project = self.admin.projects.create({"name": unique("sudo")}, sudo=user.username)
        self.assertEqual(project.owner["id"], user.id)
        self.assertIn(project.id, [found.id for found in self.admin.projects.list(owned=True, sudo=user.id, iterator=True)])

    def test_memberships(self):
        user = self.new_user()
        project = self.new_project()
        project.members.create({"user_id": user.id, "access_level": gitlab.const.REPORTER_ACCESS})
        self.assertEqual([(found.source_id, found.source_type) for found in user.memberships.list(type="Project")], [(project.id, "Project")])
