/** The container registry API: repositories of images, their tags, and who may delete what. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { runningJob } from '../../../ci/jobs/scene.ts'
import { imageClient, indexType, manifestType } from '../distribution/scene.ts'

const scene = await openScene()
const host = new URL(scene.url).host

/** A client of an image of the project, who may push and delete. */
const pusher = (project: SceneProject, { username, token }: Person, name = '') =>
  imageClient(scene, [project.full_path, ...(name === '' ? [] : [name])].join('/'), { username, password: token }, 'pull,push,delete')

async function furnished(options: Parameters<typeof scene.project>[0] = {}) {
  const made = await scene.project(options)
  const { project, owner } = made
  const root = await pusher(project, owner)
  const web = await pusher(project, owner, 'web')
  const digest = await root.image('latest')
  for (const tag of ['1.0', '0.9', 'latest']) await web.image(tag)
  const repositories = `${project.url}/registry/repositories`
  const [first, second] = (await owner.get(repositories)).body
  return { ...made, root, web, digest, repositories, first, second }
}

test('a project lists its repositories, with tags and their number where they are asked for', async () => {
  const { project, owner, repositories } = await furnished()
  const path = project.full_path
  const { status, body, headers } = await owner.get(repositories)
  assert.deepEqual([status, headers['x-total']], [200, '2'])
  assert.deepEqual(
    body.map(({ id: _id, created_at: _at, ...rest }: { id: number; created_at: string }) => rest),
    ['', 'web'].map(name => ({
      name,
      path: name === '' ? path : `${path}/${name}`,
      project_id: project.id,
      location: name === '' ? `${host}/${path}` : `${host}/${path}/${name}`,
      cleanup_policy_started_at: null,
    })),
  )
  const [, web] = (await owner.get(repositories, { tags: true, tags_count: true })).body
  assert.deepEqual([web.tags_count, web.tags.map((tag: { name: string }) => tag.name)], [3, ['0.9', '1.0', 'latest']])
  assert.deepEqual(web.tags[0], { name: '0.9', path: `${path}/web:0.9`, location: `${host}/${path}/web:0.9` })
  const counted = (await owner.get(repositories, { tags_count: true, per_page: 1, page: 2 })).body
  assert.deepEqual([counted.length, counted[0].tags_count, 'tags' in counted[0]], [1, 3, false])
})

test('a group lists those of its projects and of the groups below it, for Reporters', async () => {
  const { group, owner, reporter, guest } = await scene.group({ members: ['reporter', 'guest'], visibility: 'public' })
  const below = (await owner.post('/groups', { name: 'Below', path: `below-${group.id}`, parent_id: group.id })).body
  for (const [namespace_id, name] of [
    [group.id, 'one'],
    [below.id, 'two'],
    [below.id, 'off'],
  ]) {
    const project = (await owner.post('/projects', { name, namespace_id })).body
    const image = await imageClient(scene, project.path_with_namespace, { username: owner.username, password: owner.token })
    await image.image('latest')
    if (name === 'off') await owner.put(`/projects/${project.id}`, { container_registry_enabled: false })
  }
  const url = `/groups/${group.id}/registry/repositories`
  const { status, body } = await reporter.get(url, { tags_count: true })
  assert.equal(status, 200)
  assert.deepEqual(
    body.map(({ path, tags_count }: { path: string; tags_count: number }) => [path.split('/').at(-1), tags_count]),
    [
      ['one', 1],
      ['two', 1],
    ],
  )
  assert.deepEqual([(await guest.get(url)).status, (await scene.anonymous.get(url)).status], [403, 401])
})

test('one repository by its id: for signed-in users who may read it, with where it is deleted for Maintainers', async () => {
  const { project, first, owner, reporter, guest } = await furnished({ members: ['reporter', 'guest'] })
  const url = `/registry/repositories/${first.id}`
  const shown = await owner.get(url, { tags: true })
  assert.equal(shown.body.delete_api_path, `${scene.url}/api/v4/projects/${project.id}/registry/repositories/${first.id}`)
  assert.deepEqual(
    shown.body.tags.map((tag: { name: string }) => tag.name),
    ['latest'],
  )
  const { status, body } = await reporter.get(url)
  assert.deepEqual([status, body], [200, first])
  assert.equal((await guest.get(url)).status, 403)
  const outsider = await scene.user()
  assert.deepEqual(await outsider.get(url).then(({ status, body }) => [status, body]), [404, { message: '404 Not found' }])
  await owner.put(project.url, { visibility: 'public' })
  assert.deepEqual([(await outsider.get(url)).status, (await scene.anonymous.get(url)).status], [200, 401])
})

test('a tag says what its image is; an index has no revision', async () => {
  const { owner, second, web, repositories, project } = await furnished()
  const tags = `${repositories}/${second.id}/tags`
  assert.deepEqual(
    (await owner.get(tags, { per_page: 2 })).body.map((tag: { name: string }) => tag.name),
    ['0.9', '1.0'],
  )
  const { body } = await owner.get(`${tags}/1.0`)
  const manifest = JSON.parse((await web.get('manifests/1.0')).bytes.toString())
  const revision = manifest.config.digest.slice('sha256:'.length)
  assert.deepEqual(body, {
    name: '1.0',
    path: `${project.full_path}/web:1.0`,
    location: `${host}/${project.full_path}/web:1.0`,
    revision,
    short_revision: revision.slice(0, 9),
    digest: (await web.head('manifests/1.0')).headers['docker-content-digest'],
    created_at: '2021-05-01T10:00:00.000Z',
    total_size: manifest.layers[0].size,
  })
  const size = (await web.get(`manifests/${body.digest}`)).bytes.length
  await web.manifest(
    'both',
    { schemaVersion: 2, mediaType: indexType, manifests: [{ mediaType: manifestType, digest: body.digest, size }] },
    indexType,
  )
  const index = (await owner.get(`${tags}/both`)).body
  assert.deepEqual([index.revision, index.short_revision, index.total_size], [null, null, body.total_size])
  assert.deepEqual(await owner.get(`${tags}/none`).then(({ status, body }) => [status, body]), [404, { message: '404 Tag Not Found' }])
})

test('Developers delete a tag, Maintainers a repository; both are in the audit log', async () => {
  const { developer, maintainer, reporter, first, second, repositories, web, project, owner } = await furnished({
    members: ['reporter', 'developer', 'maintainer'],
  })
  const tag = `${repositories}/${second.id}/tags/1.0`
  assert.equal((await reporter.delete(tag)).status, 403)
  assert.deepEqual([(await developer.delete(tag)).status, (await developer.delete(tag)).status], [200, 404])
  assert.equal((await web.get('manifests/1.0')).status, 404)
  assert.equal((await web.get('manifests/latest')).status, 200)
  assert.equal((await developer.delete(`${repositories}/${second.id}`)).status, 403)
  assert.equal((await maintainer.delete(`${repositories}/${second.id}`)).status, 202)
  assert.equal((await web.get('manifests/latest')).status, 404)
  assert.deepEqual((await owner.get(repositories)).body, [first])
  const audited = (await owner.get(`${project.url}/audit_events`)).body.map(
    ({ details }: { details: { remove?: string } }) => details.remove,
  )
  assert.deepEqual(audited.slice(0, 2), ['container_repository', 'container_tags'])
  const { project: other, owner: another } = await scene.project()
  assert.equal((await another.get(`${other.url}/registry/repositories/${first.id}/tags`)).status, 404)
})

test('a registry that is switched off is 403, and the job of another project too', async () => {
  const { project, owner, repositories, first } = await furnished({ visibility: 'public' })
  const job = await runningJob(scene, project, owner)
  const { project: elsewhere } = await scene.project({ owner })
  const other = await runningJob(scene, elsewhere, owner)
  const by = (token: string) => scene.as({ 'job-token': token })
  assert.deepEqual([(await by(job.token).get(repositories)).status, (await by(other.token).get(repositories)).status], [200, 403])
  assert.equal((await by(job.token).delete(`${repositories}/${first.id}/tags/latest`)).status, 200)
  assert.equal((await scene.anonymous.get(repositories)).status, 200)
  await owner.put(project.url, { container_registry_enabled: false })
  assert.deepEqual([(await owner.get(repositories)).status, (await scene.anonymous.get(repositories)).status], [403, 401])
  assert.equal((await owner.get(`/registry/repositories/${first.id}`)).status, 403)
})

test('a private registry of a public project is for Reporters and above, in each way to its images', async () => {
  const { group } = await scene.group({ owner: scene.root, visibility: 'public' })
  const made = await furnished({ visibility: 'public', group, owner: scene.root, members: ['guest', 'reporter', 'developer'] })
  const { project, guest, reporter, developer, repositories, first } = made
  const outsider = await scene.user()
  const answer = await scene.root.put(project.url, { container_registry_access_level: 'private' })
  assert.deepEqual([answer.body.container_registry_access_level, answer.body.container_registry_enabled], ['private', true])
  const own = `/registry/repositories/${first.id}`
  for (const [who, client, status] of [
    ['nobody', scene.anonymous, 401],
    ['an outsider', outsider, 403],
    ['a Guest', guest, 403],
    ['a Reporter', reporter, 200],
    ['a Developer', developer, 200],
  ] as const) {
    assert.equal((await client.get(repositories)).status, status, who)
    assert.equal((await client.get(own)).status, status, who)
  }
  const pull = async (person?: Person) => {
    const login = person && { username: person.username, password: person.token }
    return (await (await imageClient(scene, project.full_path, login, 'pull')).get('manifests/latest')).status
  }
  assert.deepEqual([await pull(), await pull(outsider), await pull(guest), await pull(reporter)], [401, 401, 401, 200])
  const direct = await scene.as({ authorization: `Bearer ${outsider.token}` }).get(`${scene.url}/v2/${project.full_path}/manifests/latest`)
  assert.deepEqual([direct.status, direct.body.errors[0].code], [404, 'NAME_UNKNOWN'])
  const pushed = await imageClient(scene, project.full_path, { username: developer.username, password: developer.token })
  await pushed.image('next')
  await scene.root.put(project.url, { container_registry_access_level: 'disabled' })
  assert.deepEqual([await pull(reporter), (await developer.get(repositories)).status], [401, 403])
  await scene.root.put(project.url, { container_registry_access_level: 'enabled' })
  assert.deepEqual([await pull(), await pull(outsider)], [200, 200])
})
