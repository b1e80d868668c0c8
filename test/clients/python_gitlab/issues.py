"""Issues: lists, changes, links, time and statistics."""

import gitlab

from journey import Journey, unique


class Issues(Journey):
    def test_issues_are_created_read_changed_listed_and_deleted(self):
        project = self.new_project()
        issue = project.issues.create({"title": "Paint the shed", "labels": ["wood", "colour"], "weight": 3})
        other = project.issues.create({"title": "Other"})
        self.assertEqual(issue.labels, ["colour", "wood"])

        issue.state_event = "close"
        issue.labels = ["wood"]
        issue.save()
        found = project.issues.get(issue.iid)
        self.assertEqual((found.state, found.labels), ("closed", ["wood"]))
        self.assertEqual([one.id for one in project.issues.list(state="opened")], [other.id])
        self.assertEqual([one.id for one in project.issues.list(labels=["wood"])], [issue.id])
        self.assertEqual([one.id for one in project.issues.list(iids=[other.iid])], [other.id])
        self.assertIn(issue.id, [one.id for one in self.admin.issues.list(iterator=True)])
        self.assertEqual(project.issues_statistics.get().statistics["counts"], {"all": 2, "closed": 1, "opened": 1})

        issue.delete()
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            project.issues.get(issue.iid)
        self.assertEqual(refused.exception.response_code, 404)

    def test_groups_list_the_issues_of_their_projects(self):
        group = self.new_group()
        project = self.new_project(namespace_id=group.id)
        issue = project.issues.create({"title": unique("issue")})
        self.assertEqual([one.id for one in group.issues.list()], [issue.id])
        self.assertEqual(group.issues_statistics.get().statistics["counts"]["all"], 1)

    def test_time_is_tracked(self):
        project = self.new_project()
        issue = project.issues.create({"title": "x"})
        self.assertEqual(issue.time_estimate("3h30m")["time_estimate"], 12600)
        self.assertEqual(issue.add_spent_time("1h")["total_time_spent"], 3600)
        self.assertEqual(project.issues.get(issue.iid).time_stats()["human_total_time_spent"], "1h")
        issue.reset_time_estimate()
        issue.reset_spent_time()
        self.assertEqual(project.issues.get(issue.iid).time_stats()["total_time_spent"], 0)

    def test_issues_are_linked_moved_and_subscribed_to(self):
        project, target = self.new_project(), self.new_project()
        one, two = (project.issues.create({"title": title}) for title in ("one", "two"))
        source, linked = one.links.create({"target_project_id": project.id, "target_issue_iid": two.iid})
        self.assertEqual((source.id, linked.id), (one.id, two.id))
        [link] = one.links.list()
        one.links.delete(link.issue_link_id)
        self.assertEqual(one.links.list(), [])

        one.unsubscribe()
        self.assertFalse(project.issues.get(one.iid).subscribed)
        one.subscribe()
        self.assertTrue(project.issues.get(one.iid).subscribed)
        self.assertEqual([person["username"] for person in one.participants()], ["root"])
        self.assertIn("ip_address", one.user_agent_detail())

        one.move(target.id)
        self.assertEqual(project.issues.get(two.iid).state, "opened")
        self.assertEqual([moved.title for moved in target.issues.list()], ["one"])
