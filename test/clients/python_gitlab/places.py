"""Groups, projects, namespaces and members."""

import gitlab

from journey import Journey, unique


class Places(Journey):
    def test_groups_are_created_read_changed_and_deleted(self):
        group = self.new_group(visibility="internal")
        self.assertEqual(self.admin.groups.get(group.full_path).id, group.id)

        group.description = "The blue ones"
        group.save()
        self.assertEqual(self.admin.groups.get(group.id).description, "The blue ones")

        group.delete()
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            self.admin.groups.get(group.id)
        self.assertEqual(refused.exception.response_code, 404)

    def test_subgroups(self):
        top = self.new_group()
        middle = self.new_group(parent_id=top.id)
        bottom = self.new_group(parent_id=middle.id)
        self.assertEqual(bottom.full_path, f"{top.path}/{middle.path}/{bottom.path}")
        self.assertEqual([found.id for found in top.subgroups.list()], [middle.id])
        self.assertEqual({found.id for found in top.descendant_groups.list()}, {middle.id, bottom.id})
        self.assertEqual(self.admin.groups.get(bottom.full_path).parent_id, middle.id)

    def test_groups_are_found(self):
        group = self.new_group()
        self.assertEqual([found.id for found in self.admin.groups.list(search=group.path)], [group.id])
        self.assertIn(group.id, [found.id for found in self.admin.groups.list(owned=True, iterator=True)])

    def test_projects_are_created_read_changed_and_deleted(self):
        group = self.new_group()
        project = self.new_project(namespace_id=group.id, description="Tool", topics=["red", "blue"])
        found = self.admin.projects.get(f"{group.full_path}/{project.path}")
        self.assertEqual((found.id, found.namespace["id"], sorted(found.topics)), (project.id, group.id, ["blue", "red"]))

        project.description = "Better tool"
        project.wiki_enabled = False
        project.save()
        found = self.admin.projects.get(project.id)
        self.assertEqual((found.description, found.wiki_enabled), ("Better tool", False))

        project.delete()
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            self.admin.projects.get(project.id)
        self.assertEqual(refused.exception.response_code, 404)

    def test_a_project_begins_with_a_readme(self):
        project = self.new_project(initialize_with_readme=True)
        self.assertFalse(project.empty_repo)
        self.assertEqual([entry["path"] for entry in project.repository_tree()], ["README.md"])

    def test_projects_for_others(self):
        user = self.new_user()
        project = user.projects.create({"name": unique("project")})
        self.assertEqual(self.admin.projects.get(project.id).owner["id"], user.id)

    def test_projects_are_archived_and_come_back(self):
        project = self.new_project()
        project.archive()
        self.assertTrue(self.admin.projects.get(project.id).archived)
        project.unarchive()
        self.assertFalse(self.admin.projects.get(project.id).archived)

    def test_names_with_spaces_give_paths(self):
        you = unique("you")
        project = self.admin.projects.create({"name": f"A tool - for {you}"})
        self.assertEqual((project.name, project.path), (f"A tool - for {you}", f"a-tool-for-{you}"))

    def test_members_of_groups_and_projects(self):
        group = self.new_group()
        project = self.new_project(namespace_id=group.id)
        for place in (group, project):
            with self.subTest(type(place).__name__):
                user = self.new_user()
                member = place.members.create({"user_id": user.id, "access_level": gitlab.const.DEVELOPER_ACCESS})
                self.assertEqual(place.members.get(user.id).access_level, 30)
                self.assertIn(user.id, [found.id for found in place.members.list(query=user.username)])
                member.access_level = gitlab.const.MAINTAINER_ACCESS
                member.expires_at = "2099-12-31"
                member.save()
                changed = place.members.get(user.id)
                self.assertEqual((changed.access_level, changed.expires_at), (40, "2099-12-31"))
                member.delete()
                with self.assertRaises(gitlab.GitlabGetError):
                    place.members.get(user.id)

    def test_inherited_members(self):
        group = self.new_group()
        project = self.new_project(namespace_id=group.id)
        user = self.new_user()
        group.members.create({"user_id": user.id, "access_level": gitlab.const.REPORTER_ACCESS})
        self.assertNotIn(user.id, [found.id for found in project.members.list()])
        self.assertIn(user.id, [found.id for found in project.members_all.list(iterator=True)])
        self.assertEqual(project.members_all.get(user.id).access_level, 20)

    def test_what_one_may_see(self):
        me = self.client_of(self.new_user())
        hidden = self.new_project(visibility="private")
        shown = self.new_project(visibility="internal")
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            me.projects.get(hidden.id)
        self.assertEqual(refused.exception.response_code, 404)
        self.assertEqual(me.projects.get(shown.id).id, shown.id)
        with self.assertRaises(gitlab.GitlabUpdateError) as refused:
            me.projects.update(shown.id, {"description": "mine"})
        self.assertEqual(refused.exception.response_code, 403)

    def test_namespaces(self):
        group = self.new_group()
        self.assertEqual([(found.id, found.kind) for found in self.admin.namespaces.list(search=group.path)], [(group.id, "group")])
        self.assertEqual(self.admin.namespaces.get(group.full_path).id, group.id)

    def test_project_access_tokens(self):
        project = self.new_project()
        token = project.access_tokens.create({"name": "robot", "scopes": ["api"]})
        robot = gitlab.Gitlab(self.admin.url, private_token=token.token)
        self.assertEqual(robot.projects.get(project.id).id, project.id)
        project.access_tokens.delete(token.id)
        with self.assertRaises(gitlab.GitlabAuthenticationError):
            robot.projects.get(project.id)

    def test_projects_are_shared_with_groups(self):
        project = self.new_project()
        group = self.new_group()
        member = self.new_user()
        group.members.create({"user_id": member.id, "access_level": gitlab.const.MAINTAINER_ACCESS})

        project.share(group.id, gitlab.const.DEVELOPER_ACCESS, expires_at="2099-12-31")

        [shared] = self.admin.projects.get(project.id).shared_with_groups
        self.assertEqual((shared["group_id"], shared["group_access_level"], shared["expires_at"]), (group.id, 30, "2099-12-31"))
        self.assertEqual(project.members_all.get(member.id).access_level, 30)
        self.assertEqual([found.id for found in group.projects.list()], [project.id])
        project.unshare(group.id)
        self.assertEqual(self.admin.projects.get(project.id).shared_with_groups, [])

    def test_groups_are_shared_with_groups(self):
        group, invited = self.new_group(), self.new_group()
        member = self.new_user()
        invited.members.create({"user_id": member.id, "access_level": gitlab.const.MAINTAINER_ACCESS})

        group.share(invited.id, gitlab.const.REPORTER_ACCESS)

        self.assertEqual([shared["group_id"] for shared in self.admin.groups.get(group.id).shared_with_groups], [invited.id])
        self.assertEqual(self.client_of(member).groups.get(group.id).id, group.id)
        group.unshare(invited.id)
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            self.client_of(member).groups.get(group.id)
        self.assertEqual(refused.exception.response_code, 404)

    def test_the_projects_of_a_group(self):
        group = self.new_group()
        below = self.new_group(parent_id=group.id)
        own, inner = self.new_project(namespace_id=group.id), self.new_project(namespace_id=below.id)
        self.assertEqual([found.id for found in group.projects.list()], [own.id])
        found = group.projects.list(include_subgroups=True, order_by="id", sort="asc", iterator=True)
        self.assertEqual([project.id for project in found], [own.id, inner.id])
        self.assertEqual([project["id"] for project in self.admin.groups.get(group.id).attributes["projects"]], [own.id])
        self.assertTrue(self.admin.groups.get(group.id).runners_token)
