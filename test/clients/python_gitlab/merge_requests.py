"""Merge requests: made, read, changed, with their versions, commits and changes."""

import gitlab

from journey import Journey


class MergeRequests(Journey):
    def new_merge_request(self, project, branch="topic", **attributes):
        """A branch with two new files, proposed for `main`."""
        files = [{"action": "create", "file_path": f"{branch}-{name}", "content": f"{name}\n"} for name in ("a", "b")]
        if branch == "topic":
            first = [{"action": "create", "file_path": "README.md", "content": "Once.\n"}]
            project.commits.create({"branch": "main", "commit_message": "Begin", "actions": first})
        change = {"branch": branch, "start_branch": "main", "commit_message": "Add files", "actions": files}
        self.commit = project.commits.create(change)
        return project.mergerequests.create(
            {"source_branch": branch, "target_branch": "main", "title": "Paint the shed", **attributes}
        )

    def test_merge_requests_are_created_read_changed_and_deleted(self):
        project = self.new_project()
        user = self.new_user()
        project.members.create({"user_id": user.id, "access_level": gitlab.const.DEVELOPER_ACCESS})
        made = self.new_merge_request(project, labels=["wood"], assignee_ids=[user.id], reviewer_ids=[user.id], squash=True)
        self.assertEqual((made.state, made.sha, made.changes_count), ("opened", self.commit.id, "2"))
        self.assertEqual((made.labels, made.assignees[0]["id"], made.reviewers[0]["id"]), (["wood"], user.id, user.id))
        with self.assertRaises(gitlab.GitlabCreateError) as refused:
            project.mergerequests.create({"source_branch": "topic", "target_branch": "main", "title": "Again"})
        self.assertEqual(refused.exception.response_code, 409)

        made.title = "Draft: Paint the shed"
        made.labels = ["colour"]
        made.save()
        found = project.mergerequests.get(made.iid, include_diverged_commits_count=True, render_html=True)
        self.assertEqual((found.draft, found.labels, found.diverged_commits_count), (True, ["colour"], 0))
        self.assertEqual(found.title_html, "Draft: Paint the shed")
        for event, state in (("close", "closed"), ("reopen", "opened")):
            found.state_event = event
            found.save()
            self.assertEqual(project.mergerequests.get(made.iid).state, state)
        found.delete()
        with self.assertRaises(gitlab.GitlabGetError) as gone:
            project.mergerequests.get(made.iid)
        self.assertEqual(gone.exception.response_code, 404)

    def test_what_they_change(self):
        project = self.new_project()
        made = self.new_merge_request(project)
        self.assertEqual([commit.id for commit in made.commits()], [self.commit.id])
        changes = made.changes()
        self.assertEqual([change["new_path"] for change in changes["changes"]], ["topic-a", "topic-b"])
        self.assertFalse(changes["overflow"])
        self.assertEqual(len(made.changes(access_raw_diffs=True)["changes"]), 2)
        [version] = made.diffs.list()
        whole = made.diffs.get(version.id)
        self.assertEqual((whole.head_commit_sha, whole.real_size, len(whole.commits), len(whole.diffs)), (self.commit.id, "2", 1, 2))
        raw = self.admin.http_get(f"/projects/{project.id}/merge_requests/{made.iid}/raw_diffs", raw=True)
        self.assertIn(b"diff --git a/topic-a b/topic-a", raw.content)
        self.assertEqual(len(self.admin.http_list(f"/projects/{project.id}/merge_requests/{made.iid}/diffs", get_all=True)), 2)

    def test_a_fork_proposes_to_its_source(self):
        project = self.new_project(visibility="public")
        self.new_merge_request(project)
        self.assertEqual(project.mergerequests.list()[0].source_project_id, project.id)
        with self.assertRaises(gitlab.GitlabCreateError) as refused:
            project.mergerequests.create({"source_branch": "main", "target_branch": "main", "title": "x"})
        self.assertEqual(refused.exception.response_code, 422)

    def test_they_are_approved_by_rules(self):
        project = self.new_project()
        made = self.new_merge_request(project)
        user = self.new_user()
        project.members.create({"user_id": user.id, "access_level": gitlab.const.MAINTAINER_ACCESS})
        rule = made.approval_rules.create({"name": "Painters", "approvals_required": 1, "user_ids": [user.id]})
        self.assertEqual([one.name for one in made.approval_rules.list()], ["Painters"])
        # Its `save` names the project instead of the rule in the address.
        names = {"id": project.id, "merge_request_iid": made.iid, "approval_rule_id": rule.id}
        made.approval_rules.update(rule.id, {**names, "name": "Painters", "approvals_required": 2})
        self.assertEqual(made.approval_state.get().rules[0]["approvals_required"], 2)
        made.approve(sudo=user.id)
        self.assertEqual([one["user"]["id"] for one in made.approvals.get().approved_by], [user.id])
        made.unapprove(sudo=user.id)
        self.assertEqual(made.approvals.get().approved_by, [])
        rule.delete()
        self.assertEqual(made.approval_rules.list(), [])

    def test_what_people_and_the_server_say_of_them(self):
        project = self.new_project()
        made = self.new_merge_request(project)
        issue = project.issues.create({"title": "Shed"})
        made.description = f"Closes #{issue.iid}"
        made.labels = ["wood"]
        made.milestone_id = project.milestones.create({"title": "One day"}).id
        made.state_event = "close"
        made.save()
        for events in (made.resourcestateevents, made.resourcelabelevents, made.resourcemilestoneevents):
            event = events.list()[0]
            self.assertEqual(events.get(event.id).id, event.id)
        self.assertEqual([one.title for one in made.closes_issues()], ["Shed"])
        note = made.notes.create({"body": "Red?"})
        note.body = "Red!"
        note.save()
        self.assertEqual(made.notes.get(note.id).body, "Red!")
        star = note.awardemojis.create({"name": "star"})
        self.assertEqual([one.name for one in note.awardemojis.list()], ["star"])
        star.delete()
        note.delete()
        thumb = made.awardemojis.create({"name": "thumbsup"})
        self.assertEqual(made.awardemojis.get(thumb.id).name, "thumbsup")
        thumb.delete()
        made.time_estimate("3h")
        made.add_spent_time("1h")
        stats = project.mergerequests.get(made.iid).time_stats()
        self.assertEqual((stats["time_estimate"], stats["total_time_spent"]), (10800, 3600))
        made.reset_time_estimate()
        made.reset_spent_time()
        self.assertEqual(project.mergerequests.get(made.iid).time_stats()["human_total_time_spent"], None)
        with self.assertRaises(gitlab.GitlabSubscribeError) as already:
            made.subscribe()
        self.assertEqual(already.exception.response_code, 304)
        made.unsubscribe()
        self.assertFalse(project.mergerequests.get(made.iid).subscribed)

    def test_they_are_rebased_and_merged(self):
        project = self.new_project()
        made = self.new_merge_request(project)
        self.assertEqual(made.pipelines.list(), [])
        self.assertRegex(made.merge_ref()["commit_id"], "^[0-9a-f]{40}$")
        self.assertFalse(made.cancel_merge_when_pipeline_succeeds()["merge_when_pipeline_succeeds"])
        merged = made.merge(merge_commit_message="Merge it", squash=True, should_remove_source_branch=True)
        self.assertEqual(merged["state"], "merged")
        self.assertEqual(project.commits.get(merged["merge_commit_sha"]).message, "Merge it")
        other = self.new_merge_request(project, branch="other")
        self.assertEqual(other.rebase(), {"rebase_in_progress": True})
