"""Pages, errors and the odder habits of the library."""

import gitlab

from journey import URL, Journey, client, unique


class Pages(Journey):
    def setUp(self):
        self.owner = self.client_of(self.new_user())
        self.wanted = [self.owner.projects.create({"name": unique("page")}).id for _ in range(5)]

    def ids(self, projects):
        return sorted(project.id for project in projects)

    def test_an_iterator_fetches_page_after_page(self):
        projects = self.owner.projects.list(owned=True, iterator=True, per_page=2)
        self.assertEqual((len(projects), projects.total, projects.total_pages, projects.per_page), (5, 5, 3, 2))
        self.assertEqual((projects.current_page, projects.prev_page, projects.next_page), (1, None, 2))
        self.assertEqual(self.ids(projects), self.wanted)

    def test_all_pages_in_one_call(self):
        self.assertEqual(self.ids(self.owner.projects.list(owned=True, all=True, per_page=2)), self.wanted)

    def test_one_page(self):
        page = self.owner.projects.list(owned=True, order_by="id", sort="asc", page=2, per_page=2)
        self.assertEqual(self.ids(page), self.wanted[2:4])

    def test_a_list_cut_short_warns(self):
        with self.assertWarns(UserWarning):
            self.owner.projects.list(owned=True, per_page=2)

    def test_keyset_pages(self):
        projects = self.owner.projects.list(owned=True, pagination="keyset", order_by="id", sort="asc", per_page=2, iterator=True)
        self.assertEqual([project.id for project in projects], self.wanted)
        projects = self.owner.projects.list(owned=True, pagination="keyset", order_by="id", per_page=2, iterator=True)
        self.assertEqual([project.id for project in projects], self.wanted[::-1])

    def test_an_empty_list(self):
        self.assertEqual(self.owner.projects.list(search=unique("nothing"), all=True), [])


class Errors(Journey):
    def test_what_does_not_exist(self):
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            self.admin.projects.get(999_999_999)
        self.assertEqual((refused.exception.response_code, refused.exception.error_message), (404, "404 Project Not Found"))

    def test_what_is_taken(self):
        user = self.new_user()
        group = self.new_group()
        # Decision 13.
        for attempt in (
            lambda: self.new_user(username=user.username),
            lambda: self.new_user(email=user.email),
            lambda: self.new_group(path=group.path),
        ):
            with self.assertRaises(gitlab.GitlabCreateError) as refused:
                attempt()
            self.assertEqual(refused.exception.response_code, 409)

    def test_what_is_invalid(self):
        with self.assertRaises(gitlab.GitlabCreateError) as refused:
            self.new_project(visibility="secret")
        self.assertEqual((refused.exception.response_code, list(refused.exception.error_message)), (400, ["visibility"]))

    def test_wrong_credentials(self):
        for stranger in (client("wrong"), gitlab.Gitlab(URL)):
            with self.assertRaises(gitlab.GitlabAuthenticationError) as refused:
                stranger.auth()
            self.assertEqual(refused.exception.response_code, 401)

    def test_what_is_not_allowed(self):
        me = self.client_of(self.new_user())
        with self.assertRaises(gitlab.GitlabCreateError) as refused:
            me.users.create({"username": unique("x"), "name": "X", "email": "x@example.com", "reset_password": True})
        self.assertEqual(refused.exception.response_code, 403)
        with self.assertRaises(gitlab.GitlabHttpError) as refused:
            me.http_get("/user", sudo="root")
        self.assertEqual(refused.exception.response_code, 403)


class Habits(Journey):
    def test_parameters_in_the_query_of_a_post(self):
        name = unique("query")
        project = self.admin.http_post("/projects", name=name, visibility="internal", initialize_with_readme=False)
        self.assertEqual((project["name"], project["visibility"]), (name, "internal"))

    def test_head(self):
        project = self.new_project()
        self.assertEqual(self.admin.http_head(f"/projects/{project.id}")["Content-Type"], "application/json")
        self.assertEqual(self.admin.http_head("/projects", per_page=1)["X-Per-Page"], "1")

    def test_oauth_tokens_are_bearers(self):
        user = self.new_user()
        token = user.impersonationtokens.create({"name": "bearer", "scopes": ["api"]})
        me = gitlab.Gitlab(URL, oauth_token=token.token)
        me.auth()
        self.assertEqual(me.user.id, user.id)

    def test_the_version(self):
        version, revision = self.admin.version()
        self.assertRegex(version, r"^14\.0\.")
        self.assertNotEqual(revision, "unknown")

    def test_features(self):
        # The library asks for `/features//name`.
        name = "ci_job_token_scope"
        self.addCleanup(lambda: self.admin.features.delete(name))
        self.assertEqual(self.admin.features.set(name, True).state, "on")
        self.assertEqual({feature.name: feature.state for feature in self.admin.features.list()}[name], "on")
        self.assertEqual(self.admin.features.set(name, False).state, "off")
        self.assertEqual(self.admin.features.set(name, 30).state, "conditional")
