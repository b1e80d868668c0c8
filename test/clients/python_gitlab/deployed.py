"""Variables, environments, deployments and who may deploy."""

import gitlab

from journey import Journey, unique


class Deployed(Journey):
    def project_with_commit(self):
        project = self.new_project()
        commit = project.commits.create(
            {"branch": "main", "commit_message": "Begin", "actions": [{"action": "create", "file_path": "a.txt", "content": "a"}]}
        )
        return project, commit.id

    def test_variables(self):
        for place in (self.admin, self.new_group(), self.new_project()):
            with self.subTest(type(place).__name__):
                key = unique("KEY").replace("-", "_")
                variable = place.variables.create({"key": key, "value": "some value", "variable_type": "file"})
                self.assertEqual(place.variables.get(key).value, "some value")
                self.assertIn(key, [found.key for found in place.variables.list(all=True)])
                variable.value = "long-enough"
                variable.masked = True
                variable.save()
                self.assertEqual((variable.value, place.variables.get(key).masked), ("long-enough", True))
                with self.assertRaises(gitlab.GitlabCreateError) as refused:
                    place.variables.create({"key": key, "value": "again"})
                self.assertEqual(refused.exception.response_code, 400)
                variable.delete()
                with self.assertRaises(gitlab.GitlabGetError):
                    place.variables.get(key)

    def test_variables_of_environments(self):
        project = self.new_project()
        for scope in ("*", "review/*"):
            project.variables.create({"key": "URL", "value": scope, "environment_scope": scope})
        found = project.variables.get("URL", filter={"environment_scope": "review/*"})
        self.assertEqual(found.value, "review/*")
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            project.variables.get("URL")
        self.assertEqual(refused.exception.response_code, 409)
        project.variables.delete("URL", filter={"environment_scope": "review/*"})
        self.assertEqual(project.variables.get("URL").environment_scope, "*")

    def test_environments(self):
        project = self.new_project()
        environment = project.environments.create({"name": "review/1", "external_url": "https://1.example.com"})
        self.assertEqual([found.id for found in project.environments.list(search="review")], [environment.id])
        environment.external_url = "https://2.example.com"
        environment.save()
        self.assertEqual(project.environments.get(environment.id).external_url, "https://2.example.com")
        self.assertEqual(environment.stop()["state"], "stopped")
        self.assertEqual([found.id for found in project.environments.list(states="stopped")], [environment.id])
        environment.delete()
        with self.assertRaises(gitlab.GitlabGetError):
            project.environments.get(environment.id)

    def test_deployments(self):
        project, sha = self.project_with_commit()
        deployment = project.deployments.create(
            {"environment": "production", "sha": sha, "ref": "main", "tag": False, "status": "running"}
        )
        deployment.status = "success"
        deployment.save()
        self.assertEqual(project.deployments.get(deployment.id).status, "success")
        self.assertEqual([found.id for found in project.deployments.list(environment="production", status="success")], [deployment.id])
        self.assertEqual(list(deployment.mergerequests.list()), [])
        environment = project.environments.get(deployment.environment["id"])
        self.assertEqual(environment.last_deployment["id"], deployment.id)

    def test_protected_environments(self):
        project, _ = self.project_with_commit()
        levels = [{"access_level": 40}, {"access_level": 30}]
        protected = project.protected_environments.create({"name": "production", "deploy_access_levels": levels})
        self.assertEqual([level["access_level"] for level in protected.deploy_access_levels], [40, 30])
        self.assertEqual([found.name for found in project.protected_environments.list()], ["production"])
        project.protected_environments.get("production").delete()
        with self.assertRaises(gitlab.GitlabGetError):
            project.protected_environments.get("production")
