"""Forks, the relation between them, and imports."""

import gitlab

from journey import Journey, unique


class Forks(Journey):
    def test_a_project_is_forked_into_a_group_and_listed(self):
        source = self.new_project(visibility="public")
        group = self.new_group(visibility="public")
        fork = source.forks.create({"namespace": group.full_path, "name": "Copy", "path": "copy"})
        self.assertEqual(fork.path_with_namespace, f"{group.full_path}/copy")
        self.assertIn(fork.import_status, ["scheduled", "started", "finished"])
        self.assertEqual(fork.forked_from_project["id"], source.id)
        self.assertEqual([found.id for found in source.forks.list(order_by="name", sort="asc")], [fork.id])
        self.assertEqual(self.admin.projects.get(source.id).forks_count, 1)

    def test_a_path_that_is_taken_is_a_conflict(self):
        source = self.new_project(visibility="public")
        group = self.new_group(visibility="public")
        source.forks.create({"namespace_id": group.id})
        with self.assertRaises(gitlab.GitlabCreateError) as refused:
            source.forks.create({"namespace_id": group.id})
        self.assertEqual(refused.exception.response_code, 409)

    def test_the_relation_is_made_and_taken_away(self):
        source = self.new_project()
        own = self.new_project()
        own.create_fork_relation(source.id)
        self.assertEqual(self.admin.projects.get(own.id).forked_from_project["id"], source.id)
        own.delete_fork_relation()
        self.assertFalse(hasattr(self.admin.projects.get(own.id), "forked_from_project"))

    def test_an_import_is_asked_for(self):
        project = self.admin.projects.create({"name": unique("imported"), "import_url": "https://git.example.com/tools.git"})
        self.assertEqual(project.import_status, "scheduled")
        self.assertEqual(project.imports.get().import_status, "scheduled")
