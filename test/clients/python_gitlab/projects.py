"""Stars, statistics, languages, transfers, aliases: what python-gitlab offers of projects beyond creating them."""

import gitlab
from journey import Journey, unique


class Projects(Journey):
    def commit(self, project, **files):
        actions = [{"action": "create", "file_path": name.replace("_", "."), "content": text} for name, text in files.items()]
        project.commits.create({"branch": "main", "commit_message": "Add files", "actions": actions})

    def test_projects_are_starred(self):
        project = self.new_project()
        project.star()
        self.assertEqual(self.admin.projects.get(project.id).star_count, 1)
        me = self.admin.users.list(username="root")[0]
        self.assertIn(project.id, [found.id for found in me.starred_projects.list(all=True)])
        self.assertIn(project.id, [found.id for found in self.admin.projects.list(starred=True, all=True)])
        project.unstar()
        self.assertEqual(self.admin.projects.get(project.id).star_count, 0)

    def test_languages_are_shown(self):
        project = self.new_project()
        self.commit(project, a_rb="x = 1\n")
        self.assertEqual(project.languages(), {"Ruby": 100.0})

    def test_statistics_and_the_licence_are_shown_on_request(self):
        project = self.new_project()
        self.commit(project, LICENSE="All yours.")
        found = self.admin.projects.get(project.id, statistics=True, license=True)
        self.assertEqual((found.statistics["wiki_size"], found.license["key"]), (0, "other"))

    def test_projects_are_ordered_by_size(self):
        project = self.new_project()
        for order in ("repository_size", "storage_size", "packages_size", "wiki_size"):
            found = self.admin.projects.list(order_by=order, search=project.path, statistics=True)
            self.assertEqual([project.id], [row.id for row in found])

    def test_projects_move_and_are_found_by_their_old_path(self):
        group = self.new_group()
        project = self.new_project()
        before = project.path_with_namespace
        self.admin.http_put(f"/projects/{project.id}/transfer", post_data={"namespace": group.id})
        found = self.admin.projects.get(before)
        self.assertEqual((found.id, found.path_with_namespace), (project.id, f"{group.full_path}/{project.path}"))

    def test_housekeeping_is_started(self):
        self.new_project().housekeeping()

    def test_people_of_a_project_are_listed(self):
        project = self.new_project()
        user = self.new_user()
        project.members.create({"user_id": user.id, "access_level": gitlab.const.DEVELOPER_ACCESS})
        self.assertEqual([user.id], [found.id for found in project.users.list(search=user.username)])

    def test_aliases_are_made_and_deleted(self):
        project = self.new_project()
        name = unique("alias")
        made = self.admin.http_post("/project_aliases", post_data={"project_id": project.id, "name": name})
        self.assertEqual(made["project_id"], project.id)
        self.assertEqual(self.admin.http_get(f"/project_aliases/{name}"), made)
        self.admin.http_delete(f"/project_aliases/{name}")
        with self.assertRaises(gitlab.GitlabHttpError) as refused:
            self.admin.http_get(f"/project_aliases/{name}")
        self.assertEqual(refused.exception.response_code, 404)
