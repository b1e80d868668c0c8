"""Labels, milestones, iterations, boards and epics."""

import gitlab
from gitlab.v4.objects.iterations import ProjectIterationManager

from journey import Journey, unique


class Planning(Journey):
    def places(self):
        """A group, and a project in it."""
        group = self.new_group()
        return group, self.new_project(namespace_id=group.id)

    def test_labels(self):
        for place in self.places():
            with self.subTest(type(place).__name__):
                name = f"{unique('label')}/?&🦊"
                label = place.labels.create({"name": name, "color": "#fefefe", "description": "Bright"})
                self.assertEqual(place.labels.get(name).id, label.id)
                self.assertIn(name, [found.name for found in place.labels.list(with_counts=True)])
                label.new_name = name = unique("label")
                label.color = "red"
                label.save()
                self.assertEqual((label.name, place.labels.get(name).color), (name, "#FF0000"))
                label.subscribe()
                self.assertTrue(place.labels.get(name).subscribed)
                label.unsubscribe()
                self.assertFalse(place.labels.get(name).subscribed)
                with self.assertRaises(gitlab.GitlabCreateError) as refused:
                    place.labels.create({"name": name, "color": "#fefefe"})
                self.assertEqual(refused.exception.response_code, 409)
                label.delete()
                with self.assertRaises(gitlab.GitlabGetError):
                    place.labels.get(name)

    def test_a_label_is_promoted(self):
        group, project = self.places()
        label = project.labels.create({"name": "bug", "color": "#fefefe", "priority": 1})
        label.promote()
        self.assertEqual(group.labels.get("bug").id, label.id)
        self.assertFalse(project.labels.get("bug").is_project_label)

    def test_milestones(self):
        for place in self.places():
            with self.subTest(type(place).__name__):
                milestone = place.milestones.create({"title": unique("v"), "start_date": "2020-01-01", "due_date": "2020-02-01"})
                self.assertEqual([found.id for found in place.milestones.list(iids=[milestone.iid])], [milestone.id])
                milestone.state_event = "close"
                milestone.save()
                self.assertEqual(place.milestones.get(milestone.id).state, "closed")
                self.assertEqual([found.id for found in place.milestones.list(state="closed", search=milestone.title)], [milestone.id])
                self.assertEqual(list(milestone.issues()), [])
                milestone.delete()
                with self.assertRaises(gitlab.GitlabGetError):
                    place.milestones.get(milestone.id)

    def test_issues_of_a_milestone_and_its_promotion(self):
        group, project = self.places()
        milestone = project.milestones.create({"title": "v1"})
        issue = project.issues.create({"title": "Paint", "milestone_id": milestone.id})
        self.assertEqual([found.id for found in milestone.issues()], [issue.id])
        milestone.promote()
        self.assertEqual([found.title for found in group.milestones.list()], ["v1"])
        self.assertEqual(project.issues.get(issue.iid).milestone["group_id"], group.id)

    def test_iterations(self):
        group, project = self.places()
        made = {"title": "January", "start_date": "2020-01-01", "due_date": "2020-01-31"}
        self.admin.http_post(f"/groups/{group.id}/iterations", post_data=made)
        # `project.iterations` of the library asks for those of a group.
        for iterations in (group.iterations, ProjectIterationManager(self.admin, project)):
            self.assertEqual([(found.title, found.state) for found in iterations.list(state="closed")], [("January", 3)])
            self.assertEqual(iterations.list(state="upcoming"), [])

    def test_boards(self):
        for place in self.places():
            with self.subTest(type(place).__name__):
                self.assertEqual(place.boards.list(), [])
                board = place.boards.create({"name": "Work"})
                labels = [place.labels.create({"name": unique("label"), "color": "#fefefe"}) for _ in range(2)]
                first, second = [board.lists.create({"label_id": label.id}) for label in labels]
                second.position = 0
                second.save()
                self.assertEqual([found.id for found in board.lists.list()], [second.id, first.id])
                self.assertEqual(board.lists.get(first.id).label["name"], labels[0].name)
                first.delete()
                self.assertEqual([found["id"] for found in place.boards.get(board.id).attributes["lists"]], [second.id])
                board.name = "Play"
                board.save()
                self.assertEqual(place.boards.get(board.id).name, "Play")
                board.delete()
                self.assertEqual(place.boards.list(), [])

    def test_an_issue_moves_on_a_board(self):
        _, project = self.places()
        for name in ("todo", "doing"):
            project.labels.create({"name": name, "color": "#fefefe"})
        issue = project.issues.create({"title": "Paint", "labels": ["todo"]})
        other = project.issues.create({"title": "Dry", "labels": ["doing"]})
        issue.add_labels = ["doing"]
        issue.remove_labels = ["todo"]
        issue.save()
        issue.reorder(move_after_id=other.id)
        column = project.issues.list(labels=["doing"], order_by="relative_position", sort="asc")
        self.assertEqual([found.id for found in column], [other.id, issue.id])

    def test_epics(self):
        group, project = self.places()
        epic = group.epics.create({"title": "Harbour", "labels": ["big"]})
        self.assertEqual([found.id for found in group.epics.list(labels=["big"], search="harbour")], [epic.id])
        epic.title = "Quay"
        epic.state_event = "close"
        epic.save()
        found = group.epics.get(epic.iid)
        self.assertEqual((found.title, found.state), ("Quay", "closed"))

        issues = [project.issues.create({"title": title}) for title in ("Pile", "Crane")]
        links = [epic.issues.create({"issue_id": issue.id}) for issue in issues]
        self.assertEqual([found.id for found in epic.issues.list()], [issue.id for issue in issues])
        links[0].move_before_id = links[1].epic_issue_id
        links[0].save()
        self.assertEqual([found.title for found in epic.issues.list()], ["Crane", "Pile"])
        links[0].delete()
        self.assertEqual([found.title for found in epic.issues.list()], ["Crane"])
        epic.delete()
        with self.assertRaises(gitlab.GitlabGetError):
            group.epics.get(epic.iid)
