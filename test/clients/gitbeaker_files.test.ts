/** gitbeaker (`@gitbeaker/rest`) on files that are no part of a repository: avatars and uploads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gitlab } from '@gitbeaker/rest'
import { formWith, png } from '../../src/spaces/uploads/scene.ts'
import { openScene } from '../scene.ts'

const scene = await openScene()
const image = { content: new Blob([new Uint8Array(png(8))], { type: 'image/png' }), filename: 'logo.png' }

test('avatars are uploaded, downloaded and removed', async () => {
  const owner = await scene.user()
  const client = new Gitlab({ host: scene.url, token: owner.token })
  const { project } = await scene.project({ owner })
  const { group } = await scene.group({ owner })

  const { avatar_url } = await client.Projects.uploadAvatar(project.id, image)
  assert.equal(avatar_url, `${scene.url}/uploads/-/system/project/avatar/${project.id}/logo.png`)
  assert.ok((await owner.get(`${project.url}/avatar`)).bytes.equals(png(8)))
  await client.Projects.removeAvatar(project.id)
  assert.equal((await client.Projects.show(project.id)).avatar_url, null)

  // Its own upload for groups asks for an address that no server of this API has.
  await owner.put(group.url, formWith('avatar', 'team.png', png(8)))
  assert.match(String((await client.Groups.show(group.id)).avatar_url), /\/group\/avatar\/\d+\/team\.png$/)
  const shown = await client.Groups.downloadAvatar(group.id)
  assert.ok(Buffer.from(await shown.arrayBuffer()).equals(png(8)))
  await client.Groups.removeAvatar(group.id)
  assert.equal((await client.Groups.show(group.id)).avatar_url, null)
})

test('an avatar is found by the email that a person shows', async () => {
  const person = await scene.user({ public_email: 'seen@example.com' })
  const client = new Gitlab({ host: scene.url, token: person.token })
  assert.deepEqual(await client.Avatar.show('seen@example.com'), { avatar_url: null })
})

test('a file is uploaded and can be named in Markdown', async () => {
  const owner = await scene.user()
  const client = new Gitlab({ host: scene.url, token: owner.token })
  const { project } = await scene.project({ owner })
  const uploaded = await client.Projects.uploadForReference(project.id, { content: new Blob(['notes']), filename: 'notes.txt' })
  // Its types have no id, which the list of uploads shows too.
  const { id, ...reference } = uploaded as typeof uploaded & { id: number }
  assert.ok(Number.isSafeInteger(id))
  assert.deepEqual(reference, {
    alt: 'notes.txt',
    url: uploaded.url,
    full_path: `/${project.full_path}${uploaded.url}`,
    markdown: `[notes.txt](${uploaded.url})`,
  })
  assert.equal((await owner.get(`${scene.url}${uploaded.full_path}`)).bytes.toString(), 'notes')
})
