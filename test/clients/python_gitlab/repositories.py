"""Files, branches, tags, commits and what is read from them."""

import base64
import io
import tarfile

import gitlab

from journey import Journey, unique


class Repositories(Journey):
    def setUp(self):
        self.project = self.new_project()
        self.first = self.commit("main", "Begin", [("create", "README.md", "# Begin\n"), ("create", "src/main.py", "print(1)\n")])

    def commit(self, branch, message, changes, **options):
        actions = [{"action": action, "file_path": path, "content": content} for action, path, content in changes]
        return self.project.commits.create({"branch": branch, "commit_message": message, "actions": actions, **options})

    def test_files_are_created_read_changed_and_deleted(self):
        path = "docs/a file & more.txt"
        where = {"branch": "main", "commit_message": "Change a file"}
        self.project.files.create({"file_path": path, "content": "one\n", **where})
        file = self.project.files.get(path, ref="main")
        self.assertEqual((file.file_name, file.size, file.decode()), ("a file & more.txt", 4, b"one\n"))
        self.assertEqual(self.project.files.raw(path, ref="main"), b"one\n")

        file.content = "two\n"
        file.save(branch="main", commit_message="Say two")
        self.assertEqual(self.project.files.get(path, ref="main").decode(), b"two\n")

        file.delete(branch="main", commit_message="Say nothing")
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            self.project.files.get(path, ref="main")
        self.assertEqual(refused.exception.response_code, 404)

    def test_files_hold_any_bytes(self):
        content = bytes(range(256))
        self.project.files.create(
            {
                "file_path": "bytes.bin",
                "branch": "main",
                "content": base64.b64encode(content).decode(),
                "encoding": "base64",
                "commit_message": "Add bytes",
            }
        )
        self.assertEqual(self.project.files.get("bytes.bin", ref="main").decode(), content)
        self.assertEqual(self.project.files.raw("bytes.bin", ref="main"), content)

    def test_blame(self):
        blame = self.project.files.blame("README.md", ref="main")
        self.assertEqual([(part["commit"]["id"], part["lines"]) for part in blame], [(self.first.id, ["# Begin"])])

    def test_branches(self):
        branch = self.project.branches.create({"branch": "feature/one", "ref": "main"})
        self.assertEqual(branch.commit["id"], self.first.id)
        self.assertEqual({found.name for found in self.project.branches.list()}, {"main", "feature/one"})
        self.assertEqual(self.project.branches.get("feature/one").name, "feature/one")
        self.assertTrue(self.project.branches.get("main").default)
        branch.delete()
        self.assertEqual([found.name for found in self.project.branches.list()], ["main"])

    def test_protected_branches(self):
        self.project.branches.create({"branch": "stable", "ref": "main"})
        protected = self.project.protectedbranches.create({"name": "stable", "push_access_level": gitlab.const.MAINTAINER_ACCESS})
        self.assertTrue(self.project.branches.get("stable").protected)
        self.assertIn("stable", [found.name for found in self.project.protectedbranches.list()])
        protected.delete()
        self.assertFalse(self.project.branches.get("stable").protected)

    def test_tags(self):
        tag = self.project.tags.create({"tag_name": "v1.0", "ref": "main", "message": "One"})
        self.assertEqual((tag.message, tag.commit["id"]), ("One", self.first.id))
        self.assertEqual([found.name for found in self.project.tags.list()], ["v1.0"])
        self.assertEqual(self.project.tags.get("v1.0").name, "v1.0")
        tag.delete()
        self.assertEqual(self.project.tags.list(), [])

    def test_commits(self):
        second = self.commit("main", "Go on\n\nAt length.", [("update", "src/main.py", "print(2)\n"), ("create", "src/more.py", "")])
        self.assertEqual([found.id for found in self.project.commits.list()], [second.id, self.first.id])
        # `path` as an argument of its own would be the address to the library.
        touching = self.project.commits.list(query_parameters={"path": "README.md"})
        self.assertEqual([found.id for found in touching], [self.first.id])
        commit = self.project.commits.get(second.id)
        self.assertEqual((commit.title, commit.message, commit.parent_ids), ("Go on", "Go on\n\nAt length.", [self.first.id]))
        self.assertEqual(commit.stats, {"additions": 1, "deletions": 1, "total": 2})
        self.assertEqual({row["new_path"] for row in commit.diff()}, {"src/main.py", "src/more.py"})
        self.assertEqual([(ref["type"], ref["name"]) for ref in commit.refs()], [("branch", "main")])

    def test_commits_are_picked_and_reverted(self):
        self.project.branches.create({"branch": "stable", "ref": "main"})
        picked = self.commit("main", "Add a line", [("create", "line.txt", "line\n")])
        picked.cherry_pick("stable")
        self.assertEqual(self.project.files.raw("line.txt", ref="stable"), b"line\n")
        picked.revert("main")
        with self.assertRaises(gitlab.GitlabGetError):
            self.project.files.get("line.txt", ref="main")

    def test_a_commit_starts_a_branch(self):
        moved = self.project.commits.create(
            {
                "branch": "next",
                "start_branch": "main",
                "commit_message": "Rename",
                "actions": [{"action": "move", "file_path": "src/prog.py", "previous_path": "src/main.py"}],
            }
        )
        self.assertEqual(moved.parent_ids, [self.first.id])
        self.assertEqual([entry["path"] for entry in self.project.repository_tree("src", ref="next")], ["src/prog.py"])

    def test_compare_and_merge_base(self):
        ahead = self.commit("next", "Go on", [("create", "new.txt", "new\n")], start_branch="main")
        comparison = self.project.repository_compare("main", "next")
        self.assertEqual([commit["id"] for commit in comparison["commits"]], [ahead.id])
        self.assertEqual([row["new_path"] for row in comparison["diffs"]], ["new.txt"])
        self.assertEqual(self.project.repository_merge_base(["main", "next"])["id"], self.first.id)

    def test_the_tree(self):
        entries = self.project.repository_tree(recursive=True, iterator=True, per_page=2)
        self.assertEqual([(entry["type"], entry["path"]) for entry in entries], [("tree", "src"), ("blob", "README.md"), ("blob", "src/main.py")])

    def test_blobs(self):
        entry = next(entry for entry in self.project.repository_tree() if entry["path"] == "README.md")
        self.assertEqual(base64.b64decode(self.project.repository_blob(entry["id"])["content"]), b"# Begin\n")
        self.assertEqual(self.project.repository_raw_blob(entry["id"]), b"# Begin\n")

    def test_contributors(self):
        self.assertEqual([(row["name"], row["commits"]) for row in self.project.repository_contributors()], [(self.first.author_name, 1)])

    def test_archives(self):
        archive = tarfile.open(fileobj=io.BytesIO(self.project.repository_archive()))
        root = f"{self.project.path}-main-{self.first.id}"
        self.assertEqual({name for name in archive.getnames() if name.endswith((".md", ".py"))}, {f"{root}/README.md", f"{root}/src/main.py"})
        self.assertEqual(self.project.repository_archive(sha="main", format="zip")[:2], b"PK")

    def test_commits_come_in_pages(self):
        for number in range(4):
            self.commit("main", f"Number {number}", [("update", "README.md", f"{number}\n")])
        commits = self.project.commits.list(iterator=True, per_page=2)
        self.assertEqual([commit.title for commit in commits], ["Number 3", "Number 2", "Number 1", "Number 0", "Begin"])
