"""Images of the container registry: repositories, their tags, and what is deleted."""

import base64
import hashlib
import json
import os
import urllib.parse
import urllib.request

import gitlab
from journey import URL, Journey

MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def digest_of(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def send(method, path, content, media_type="application/octet-stream"):
    """What a client of the registry sends, as the administrator."""
    login = base64.b64encode(f"root:{os.environ['INGOT_TOKEN']}".encode()).decode()
    headers = {"Authorization": f"Basic {login}", "Content-Type": media_type}
    request = urllib.request.Request(f"{URL}/v2/{path}", data=content, headers=headers, method=method)
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 201, answer.status


def push(image, tag):
    """An image of one layer."""
    config = json.dumps({"created": "2021-05-01T10:00:00Z", "os": "linux", "architecture": "amd64"}).encode()
    named = []
    for content, sort in [(config, "config.v1+json"), (tag.encode(), "layer.v1.tar")]:
        digest = digest_of(content)
        send("POST", f"{image}/blobs/uploads/?digest={urllib.parse.quote(digest)}", content)
        named.append({"mediaType": f"application/vnd.oci.image.{sort}", "digest": digest, "size": len(content)})
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": named[0], "layers": named[1:]}
    send("PUT", f"{image}/manifests/{tag}", json.dumps(manifest).encode(), MANIFEST)
    return named


class Images(Journey):
    def setUp(self):
        self.group = self.new_group()
        self.project = self.new_project(namespace_id=self.group.id)
        for tag in ["latest", "v1", "v2", "v3"]:
            self.named = push(f"{self.project.path_with_namespace}/web", tag)

    def test_repositories_and_tags(self):
        [repository] = self.project.repositories.list(tags=True, tags_count=True)
        self.assertEqual((repository.name, repository.tags_count, repository.cleanup_policy_started_at), ("web", 4, None))
        self.assertEqual([found.id for found in self.group.registry_repositories.list()], [repository.id])
        [repository] = self.project.repositories.list()
        self.assertEqual([tag.name for tag in repository.tags.list()], ["latest", "v1", "v2", "v3"])

    def test_a_tag(self):
        [repository] = self.project.repositories.list()
        tag = repository.tags.get("v3")
        config, layer = self.named
        self.assertEqual((tag.revision, tag.total_size), (config["digest"].split(":")[1], layer["size"]))
        tag.delete()
        with self.assertRaises(gitlab.exceptions.GitlabGetError) as refused:
            repository.tags.get("v3")
        self.assertEqual(refused.exception.response_code, 404)

    def test_deletion(self):
        [repository] = self.project.repositories.list()
        repository.tags.delete_in_bulk(name_regex_delete="v.*", keep_n=1)
        with self.assertRaises(gitlab.exceptions.GitlabDeleteError) as refused:
            repository.tags.delete_in_bulk(name_regex_delete="v.*")
        self.assertEqual(refused.exception.response_code, 400)
        repository.delete()
        self.assertEqual(self.project.repositories.list(), [])
