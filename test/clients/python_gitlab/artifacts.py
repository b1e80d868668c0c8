"""What jobs leave behind, brought by a runner's requests and fetched by the library."""

import io
import time
import zipfile

import gitlab

from journey import URL, Journey


class Artifacts(Journey):
    def setUp(self):
        self.project = self.new_project()
        action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": "build:\n  script: [make]\n"}
        self.project.commits.create({"branch": "main", "commit_message": "Begin", "actions": [action]})
        runner = self.admin.runners.create({"token": self.project.runners_token, "description": "journey"})
        taken = None
        # The library answers what came without JSON as it came: there is no job yet.
        while not isinstance(taken, dict):
            taken = self.admin.http_post("/jobs/request", post_data={"token": runner.token})
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("out/hello.txt", "Hello!\n")
        self.archive = packed.getvalue()
        answer = self.admin.session.post(
            f"{URL}/api/v4/jobs/{taken['id']}/artifacts?artifact_type=archive&artifact_format=zip&expire_in=1+day",
            files={"file": ("artifacts.zip", self.archive)},
            headers={"JOB-TOKEN": taken["token"]},
        )
        self.assertEqual(answer.status_code, 201)
        end = {"token": taken["token"], "state": "success"}
        self.assertEqual(self.admin.session.put(f"{URL}/api/v4/jobs/{taken['id']}", json=end).status_code, 200)
        self.job = self.project.jobs.get(taken["id"])

    def test_of_a_job(self):
        self.assertEqual((self.job.status, self.job.artifacts_file["size"]), ("success", len(self.archive)))
        self.assertEqual(self.job.artifacts(), self.archive)
        self.assertEqual(self.job.artifact("out/hello.txt"), b"Hello!\n")
        pieces = []
        self.job.artifacts(streamed=True, action=pieces.append)
        self.assertEqual(b"".join(pieces), self.archive)
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            self.job.artifact("out/other.txt")
        self.assertEqual(refused.exception.response_code, 404)

    def test_of_a_branch(self):
        artifacts = self.project.artifacts
        # The pipeline succeeds a moment after its last job.
        while self.project.pipelines.list(ref="main")[0].status != "success":
            time.sleep(0.05)
        self.assertEqual(artifacts.download("main", "build"), self.archive)
        self.assertEqual(artifacts.raw("main", "out/hello.txt", "build"), b"Hello!\n")
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            artifacts.download("main", "other")
        self.assertEqual(refused.exception.response_code, 404)

    def test_kept_and_deleted(self):
        self.assertIsNotNone(self.job.artifacts_expire_at)
        self.job.keep_artifacts()
        self.assertIsNone(self.project.jobs.get(self.job.id).attributes.get("artifacts_expire_at"))
        self.job.delete_artifacts()
        with self.assertRaises(gitlab.GitlabGetError) as refused:
            self.job.artifacts()
        self.assertEqual(refused.exception.response_code, 404)
        self.project.artifacts.delete()
