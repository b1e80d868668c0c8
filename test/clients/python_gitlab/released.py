"""Releases and their links, what starts pipelines, and statuses of commits."""

import gitlab

from journey import Journey


class Released(Journey):
    def project_with_commit(self):
        project = self.new_project()
        action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": "build:\n  script: [make]\n"}
        commit = project.commits.create({"branch": "main", "commit_message": "Begin", "actions": [action]})
        return project, commit.id

    def test_releases(self):
        project, sha = self.project_with_commit()
        milestone = project.milestones.create({"title": "One"})
        made = project.releases.create(
            {"tag_name": "rel/1", "ref": "main", "name": "One", "description": "First", "milestones": ["One"]}
        )
        self.assertEqual((made.tag_name, made.commit["id"], made.milestones[0]["id"]), ("rel/1", sha, milestone.id))
        release = project.releases.get("rel/1")
        release.description = "Better"
        release.save()
        self.assertEqual([found.description for found in project.releases.list(order_by="created_at")], ["Better"])
        with self.assertRaises(gitlab.GitlabCreateError) as refused:
            project.releases.create({"tag_name": "rel/1", "description": "Again"})
        self.assertEqual(refused.exception.response_code, 409)
        project.releases.delete("rel/1")
        with self.assertRaises(gitlab.GitlabGetError):
            project.releases.get("rel/1")

    def test_release_links(self):
        project, _ = self.project_with_commit()
        release = project.releases.create({"tag_name": "v1", "ref": "main", "description": "First"})
        link = release.links.create({"name": "Handbook", "url": "https://example.com/a.pdf", "filepath": "/docs/a.pdf"})
        self.assertTrue(link.direct_asset_url.endswith("/-/releases/v1/downloads/docs/a.pdf"))
        release.links.update(link.id, {"name": "Manual", "link_type": "runbook"})
        self.assertEqual([(found.name, found.link_type) for found in release.links.list()], [("Manual", "runbook")])
        with self.assertRaises(gitlab.GitlabCreateError) as refused:
            release.links.create({"name": "Other", "url": "javascript:1"})
        self.assertEqual(refused.exception.response_code, 400)
        release.links.delete(link.id)
        self.assertEqual(release.links.list(), [])

    def test_schedules(self):
        project, _ = self.project_with_commit()
        schedule = project.pipelineschedules.create({"ref": "main", "description": "Nightly", "cron": "0 1 * * *"})
        schedule.cron = "0 2 * * *"
        schedule.save()
        schedule.variables.create({"key": "TARGET", "value": "staging"})
        schedule.take_ownership()
        number = schedule.id
        # The library takes the answer, a message, for the schedule.
        schedule.play()
        schedule = project.pipelineschedules.get(number)
        self.assertEqual((schedule.cron, schedule.attributes["variables"][0]["key"]), ("0 2 * * *", "TARGET"))
        schedule.variables.delete("TARGET")
        self.assertEqual(len(project.pipelineschedules.list()), 1)
        schedule.delete()
        with self.assertRaises(gitlab.GitlabGetError):
            project.pipelineschedules.get(number)

    def test_triggers(self):
        project, sha = self.project_with_commit()
        trigger = project.triggers.create({"description": "Docs"})
        trigger.description = "Pages"
        trigger.save()
        pipeline = project.trigger_pipeline("main", trigger.token, variables={"TARGET": "live"})
        self.assertEqual((pipeline.sha, pipeline.ref), (sha, "main"))
        self.assertEqual([found.description for found in project.triggers.list()], ["Pages"])
        trigger.delete()
        with self.assertRaises(gitlab.GitlabCreateError) as refused:
            project.trigger_pipeline("main", trigger.token)
        self.assertEqual(refused.exception.response_code, 404)

    def test_statuses(self):
        project, sha = self.project_with_commit()
        commit = project.commits.get(sha)
        made = commit.statuses.create({"state": "running", "name": "lint"})
        commit.statuses.create({"state": "success", "name": "lint", "coverage": 90})
        (found,) = [status for status in commit.statuses.list(all=True) if status.name == "lint"]
        self.assertEqual((found.id, found.status, found.coverage), (made.id, "success", 90.0))
