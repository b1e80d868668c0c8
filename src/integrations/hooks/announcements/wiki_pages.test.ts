/** Changes of wiki pages, as hooks hear of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { addHookTo, openReceiver, workOf } from '../scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { deliver } = workOf(scene)

test('hooks hear of wiki pages that the API wrote, and not of pushes to the wiki', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group })
  const [ofProject, ofGroup] = [await openReceiver(), await openReceiver()]
  const switches = { push_events: false, wiki_page_events: true }
  await addHookTo(owner, project, { url: ofProject.url, ...switches })
  await addHookTo(owner, group, { url: ofGroup.url, ...switches })
  await deliver()

  await owner.post(`${project.url}/wikis`, { title: 'guides/Lamp post', content: 'Light' })
  await owner.delete(`${project.url}/wikis/guides%2FLamp-post`)
  await owner.post(`${group.url}/wikis`, { title: 'home', content: 'Ours' })
  await deliver()

  assert.equal(ofProject.received[0]?.headers['x-gitlab-event'], 'Wiki Page Hook')
  const [made, removed] = ofProject.received.map(({ body }) => body)
  const web = `${scene.url}/${project.full_path}`
  assert.deepEqual(made.object_attributes, {
    slug: 'guides/Lamp-post',
    title: 'Lamp post',
    format: 'markdown',
    message: `${owner.username} created page: guides/Lamp post`,
    content: 'Light',
    url: `${web}/-/wikis/guides/Lamp-post`,
    action: 'create',
  })
  assert.deepEqual([made.object_kind, made.user.username, made.project.id], ['wiki_page', owner.username, project.id])
  assert.deepEqual(
    [made.wiki.web_url, made.wiki.git_http_url, made.wiki.path_with_namespace, made.wiki.default_branch],
    [`${web}/-/wikis/home`, `${web}.wiki.git`, `${project.full_path}.wiki`, 'main'],
  )
  assert.deepEqual([removed.object_attributes.action, removed.object_attributes.content], ['delete', 'Light'])
  assert.deepEqual(
    ofGroup.received.map(({ body }) => [body.project?.id, body.group?.full_path, body.object_attributes.slug]),
    [
      [project.id, undefined, 'guides/Lamp-post'],
      [project.id, undefined, 'guides/Lamp-post'],
      [undefined, group.full_path, 'home'],
    ],
  )
})
