"""What is around projects and groups: attributes, requests, invitations, tokens, badges, feeds, topics and templates."""

import gitlab

from journey import Journey, client, unique


class Around(Journey):
    def test_custom_attributes(self):
        city = unique("Oslo")
        user, group, project = self.new_user(), self.new_group(), self.new_project()
        for bearer in (user, group, project):
            bearer.customattributes.set("city", city)
            self.assertEqual(bearer.customattributes.get("city").value, city)
            self.assertEqual([attribute.key for attribute in bearer.customattributes.list()], ["city"])
        found = self.admin.projects.list(custom_attributes={"city": city}, with_custom_attributes=True)
        self.assertEqual([(row.id, row.custom_attributes) for row in found], [(project.id, [{"key": "city", "value": city}])])
        self.assertEqual([row.id for row in self.admin.groups.list(custom_attributes={"city": city})], [group.id])
        self.assertEqual([row.id for row in self.admin.users.list(custom_attributes={"city": city})], [user.id])
        project.customattributes.delete("city")
        self.assertEqual(project.customattributes.list(), [])

    def test_access_requests(self):
        person = self.new_user()
        asking = self.client_of(person)
        for place, same in (
            (place := self.new_group(visibility="public"), lambda: asking.groups.get(place.id)),
            (project := self.new_project(visibility="public"), lambda: asking.projects.get(project.id)),
        ):
            same().accessrequests.create()
            (request,) = place.accessrequests.list()
            self.assertEqual(request.username, person.username)
            request.approve(access_level=gitlab.const.AccessLevel.REPORTER)
            self.assertEqual(place.members.get(person.id).access_level, 20)
            place.members.delete(person.id)
            same().accessrequests.create()
            place.accessrequests.delete(person.id)
            self.assertEqual(place.accessrequests.list(), [])

    def test_invitations(self):
        for place in (self.new_group(), self.new_project()):
            email = f"{unique('invited')}@elsewhere.example.com"
            place.invitations.create({"email": email, "access_level": 20})
            with self.assertRaises(gitlab.GitlabInvitationError):
                place.invitations.create({"email": email, "access_level": 20})
            self.assertEqual([row.invite_email for row in place.invitations.list(query=email)], [email])
            place.invitations.update(email, {"access_level": 30})
            person = self.new_user(email=email)
            self.assertEqual(place.members.get(person.id).access_level, 30)

            other = f"{unique('invited')}@elsewhere.example.com"
            place.invitations.create({"email": other, "access_level": 20})
            place.invitations.delete(other)
            self.assertEqual(place.invitations.list(), [])

    def test_access_tokens(self):
        for place in (self.new_group(), self.new_project()):
            token = place.access_tokens.create({"name": "robot", "scopes": ["api"], "access_level": 30})
            robot = client(token.token)
            robot.auth()
            self.assertTrue(robot.user.bot)
            self.assertEqual([row.id for row in place.access_tokens.list()], [token.id])
            token.delete()
            with self.assertRaises(gitlab.GitlabAuthenticationError):
                robot.auth()

    def test_badges(self):
        group = self.new_group()
        project = self.new_project(namespace_id=group.id)
        link, image = "https://ci.example.com/%{project_path}", "https://ci.example.com/%{project_id}.svg"
        rendered = project.badges.render(link, image)
        self.assertEqual(rendered["rendered_link_url"], f"https://ci.example.com/{project.path_with_namespace}")
        for place in (group, project):
            badge = place.badges.create({"link_url": link, "image_url": image})
            badge.link_url = "https://example.com/"
            badge.save()
            self.assertEqual(place.badges.get(badge.id).rendered_link_url, "https://example.com/")
        self.assertEqual([badge.kind for badge in project.badges.list()], ["group", "project"])
        for place in (group, project):
            place.badges.list()[-1].delete()
        self.assertEqual(project.badges.list(), [])

    def test_feeds(self):
        user = self.new_user()
        own = self.client_of(user)
        project = own.projects.create({"name": unique("project"), "initialize_with_readme": True})
        actions = ["pushed new", "created"]
        self.assertEqual([event.action_name for event in own.events.list()], actions)
        self.assertEqual([event.action_name for event in user.events.list()], actions)
        self.assertEqual([event.action_name for event in project.events.list()], actions)
        (pushed,) = project.events.list(action="pushed")
        self.assertEqual((pushed.push_data["ref"], pushed.push_data["commit_count"]), ("main", 1))
        self.assertEqual([event.action_name for event in own.events.list(target_type="project")], ["created"])

    def test_topics(self):
        name = unique("topic")
        topic = self.admin.topics.create({"name": name, "description": "Lab"})
        self.new_project(topics=[name])
        self.assertEqual(self.admin.topics.get(topic.id).total_projects_count, 1)
        topic.description = "Field"
        topic.save()
        self.assertEqual([row.description for row in self.admin.topics.list(search=name)], ["Field"])
        other = self.admin.topics.create({"name": unique("topic")})
        self.admin.topics.merge(topic.id, other.id)
        self.assertEqual(self.admin.topics.get(other.id).total_projects_count, 1)
        other.delete()

    def test_templates(self):
        self.assertIn("Permission is hereby granted", self.admin.licenses.get("mit").content)
        self.assertEqual([row.key for row in self.admin.licenses.list(popular=True)], ["apache-2.0", "gpl-3.0", "mit"])
        self.assertIn("node_modules", self.admin.gitignores.get("Node").content)
        self.assertIn("npm test", self.admin.gitlabciymls.get("Nodejs").content)
        self.assertIn("FROM node", self.admin.dockerfiles.get("Node").content)
        for templates in (self.admin.gitignores, self.admin.gitlabciymls, self.admin.dockerfiles):
            self.assertGreater(len(templates.list(get_all=True)), 7)
