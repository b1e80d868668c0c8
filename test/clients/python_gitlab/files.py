"""Files that are no part of a repository: avatars and uploads."""

import os
import tempfile

from journey import Journey, unique

GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002014400 3b".replace(" ", ""))


class Files(Journey):
    def test_avatars_of_projects_and_groups(self):
        for place, reread in (
            (project := self.new_project(), lambda: self.admin.projects.get(project.id)),
            (group := self.new_group(), lambda: self.admin.groups.get(group.id)),
        ):
            place.avatar = GIF
            place.save()
            address = reread().avatar_url
            self.assertTrue(address.endswith("/avatar.png"), address)
            image = self.admin.session.get(address, headers={"PRIVATE-TOKEN": self.admin.private_token})
            self.assertEqual((image.content, image.headers["content-type"]), (GIF, "image/gif"))
            place.avatar = ""
            place.save()
            self.assertIsNone(reread().avatar_url)

    def test_avatars_of_users(self):
        user = self.new_user()
        user.avatar = GIF
        user.save()
        address = self.admin.users.get(user.id).avatar_url
        self.assertEqual(self.admin.session.get(address).content, GIF)

    def test_uploads(self):
        project = self.new_project()
        uploaded = project.upload("notes.txt", filedata="notes")
        self.assertEqual(uploaded["alt"], "notes.txt")
        self.assertEqual(uploaded["markdown"], f"[notes.txt]({uploaded['url']})")
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, unique("image") + ".gif")
            with open(path, "wb") as file:
                file.write(GIF)
            image = project.upload(os.path.basename(path), filepath=path)
        self.assertTrue(image["markdown"].startswith("!["))
        address = f"{project.web_url}{image['url']}"
        shown = self.admin.session.get(address, headers={"PRIVATE-TOKEN": self.admin.private_token})
        self.assertEqual((shown.content, shown.headers["content-type"]), (GIF, "image/gif"))
