"""What is said and done about issues: notes, threads, reactions, changes, to-do items."""

import gitlab

from journey import Journey


class Talk(Journey):
    def setUp(self):
        super().setUp()
        self.project = self.new_project()
        self.issue = self.project.issues.create({"title": "Paint the shed"})

    def test_notes_are_written_changed_listed_and_deleted(self):
        note = self.issue.notes.create({"body": "Red?"})
        note.body = "Red!"
        note.save()
        self.assertEqual(self.issue.notes.get(note.id).body, "Red!")
        self.assertEqual([one.id for one in self.issue.notes.list(sort="asc")], [note.id])
        note.delete()
        with self.assertRaises(gitlab.GitlabGetError):
            self.issue.notes.get(note.id)

    def test_a_note_of_quick_actions_changes_the_issue(self):
        note = self.issue.notes.create({"body": "Done.\n/close"})
        self.assertEqual(note.commands_changes, {"state_event": "close"})
        self.assertEqual(self.project.issues.get(self.issue.iid).state, "closed")

    def test_threads_are_begun_answered_and_changed(self):
        thread = self.issue.discussions.create({"body": "Which colour?"})
        answer = thread.notes.create({"body": "Red"})
        answer.body = "Blue"
        answer.save()
        found = self.issue.discussions.get(thread.id)
        self.assertEqual([note["body"] for note in found.attributes["notes"]], ["Which colour?", "Blue"])
        self.assertEqual(thread.notes.get(answer.id).body, "Blue")
        answer.delete()
        self.assertEqual(len(self.issue.discussions.list()[0].attributes["notes"]), 1)

    def test_issues_and_notes_are_reacted_to(self):
        award = self.issue.awardemojis.create({"name": "thumbsup"})
        self.assertEqual(self.issue.awardemojis.get(award.id).name, "thumbsup")
        note = self.issue.notes.create({"body": "Red?"})
        on_note = note.awardemojis.create({"name": "tada"})
        self.assertEqual([one.name for one in note.awardemojis.list()], ["tada"])
        on_note.delete()
        award.delete()
        self.assertEqual(self.issue.awardemojis.list(), [])

    def test_changes_are_listed(self):
        milestone = self.project.milestones.create({"title": "One day"})
        self.issue.labels = ["wood"]
        self.issue.milestone_id = milestone.id
        self.issue.state_event = "close"
        self.issue.save()
        for events in (self.issue.resourcestateevents, self.issue.resourcelabelevents, self.issue.resourcemilestoneevents):
            event = events.list()[0]
            self.assertEqual(events.get(event.id).id, event.id)

    def test_things_to_do_are_marked_and_done(self):
        self.issue.todo()
        mine = self.admin.todos.list(project_id=self.project.id)
        self.assertEqual([todo.target["id"] for todo in mine], [self.issue.id])
        mine[0].mark_as_done()
        self.assertEqual(self.admin.todos.list(project_id=self.project.id), [])
        self.issue.todo()
        self.admin.todos.mark_all_as_done()
        self.assertEqual(self.admin.todos.list(project_id=self.project.id), [])

    def test_those_who_take_part_are_listed(self):
        self.assertEqual([one["id"] for one in self.issue.participants()], [self.issue.author["id"]])


class Review(Journey):
    """Threads on diffs and reactions of merge requests; notes of epics. It knows no drafts yet."""

    def setUp(self):
        super().setUp()
        self.project = self.new_project()
        commit = {"branch": "main", "commit_message": "Begin", "actions": [{"action": "create", "file_path": "a", "content": "a\n"}]}
        self.project.commits.create(commit)
        change = {"action": "create", "file_path": "f.txt", "content": "one\ntwo\n"}
        self.project.commits.create({"branch": "topic", "start_branch": "main", "commit_message": "Two", "actions": [change]})
        self.mr = self.project.mergerequests.create({"source_branch": "topic", "target_branch": "main", "title": "Paint"})
        position = {**self.mr.diff_refs, "position_type": "text", "old_path": "f.txt", "new_path": "f.txt"}
        self.position = {**position, "old_line": None, "new_line": 2}

    def test_threads_on_lines_are_begun_answered_and_resolved(self):
        thread = self.mr.discussions.create({"body": "Why?", "position": self.position})
        self.assertEqual(thread.attributes["notes"][0]["position"]["new_line"], 2)
        answer = thread.notes.create({"body": "So"})
        answer.body = "Because"
        answer.save()
        thread.resolved = True
        thread.save()
        found = self.mr.discussions.get(thread.id)
        self.assertTrue(all(note["resolved"] for note in found.attributes["notes"]))
        with self.assertRaises(gitlab.GitlabCreateError):
            self.mr.discussions.create({"body": "Why?", "position": {**self.position, "new_line": 9}})

    def test_notes_are_reacted_to_and_things_marked(self):
        note = self.mr.notes.create({"body": "Fine\n/award :tada:"})
        self.assertEqual([one.name for one in self.mr.awardemojis.list()], ["tada"])
        self.assertEqual(note.awardemojis.create({"name": "thumbsup"}).awardable_type, "Note")
        self.mr.todo()
        self.assertEqual([todo.target["id"] for todo in self.admin.todos.list(project_id=self.project.id)], [self.mr.id])
        self.assertEqual([one["id"] for one in self.mr.participants()], [self.mr.author["id"]])

    def test_epics_are_talked_about(self):
        group = self.admin.groups.create({"name": "Town", "path": "town-of-talk"})
        epic = group.epics.create({"title": "Paint the town"})
        note = epic.notes.create({"body": "When?"})
        self.assertEqual(note.noteable_type, "Epic")
        self.assertEqual([one.body for one in epic.notes.list()], ["When?"])
