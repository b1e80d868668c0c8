/** Protected and immutable tags of images: who pushes and deletes them, one by one, in bulk, with their manifest or image, and by policies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../../test/held_table.ts'
import { type Answer, openScene, type SceneProject } from '../../../../test/scene.ts'
import { cleanUpRepository } from '../../container_registry/cleanup/commands.ts'
import { runCleanupPolicy } from '../../container_registry/cleanup/policies.ts'
import { digestOfBytes, imageClient, indexType, manifestType } from '../../container_registry/distribution/scene.ts'
import { collectGarbage } from '../../container_registry/garbage.ts'

const scene = await openScene()

const rulesOf = ({ url }: SceneProject) => `${url}/registry/protection/tag/rules`
const login = ({ username, token }: { username: string; token: string }) => ({ username, password: token })
const both = { minimum_access_level_for_push: 'maintainer', minimum_access_level_for_delete: 'owner' }
const OLD = '2019-05-01T10:00:00Z'

test('rules are added, changed and removed, and say what is wrong with them', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { status, body } = await owner.post(rulesOf(project), { tag_name_pattern: '^v\\d', ...both })
  assert.equal(status, 201)
  assert.deepEqual(body, { id: body.id, project_id: project.id, tag_name_pattern: '^v\\d', ...both, immutable: false })
  assert.equal((await developer.get(rulesOf(project))).status, 403)
  const refused = async (given: object) => {
    const answer = await owner.post(rulesOf(project), given)
    return [answer.status, answer.body.message]
  }
  assert.deepEqual(await refused({ tag_name_pattern: '^v\\d', ...both }), [422, ['Tag name pattern has already been taken']])
  assert.deepEqual(await refused({ tag_name_pattern: '(', ...both }), [422, ['Tag name pattern not valid RE2 syntax']])
  assert.deepEqual(await refused({ tag_name_pattern: 'a', minimum_access_level_for_push: 'owner' }), [
    422,
    ['Access levels should either both be present or both be nil'],
  ])
  assert.equal((await owner.post(rulesOf(project), { tag_name_pattern: 'a'.repeat(101), ...both })).status, 400)
  const at = `${rulesOf(project)}/${body.id}`
  const none = { minimum_access_level_for_push: null, minimum_access_level_for_delete: null }
  assert.deepEqual((await owner.patch(at, none)).body, { ...body, ...none, immutable: true })
  assert.equal((await owner.patch(at, { minimum_access_level_for_push: 'admin' })).status, 422)
  assert.equal((await owner.get(rulesOf(project))).body.length, 1)
  assert.equal((await owner.delete(at)).status, 204)
  assert.equal((await owner.delete(at)).status, 404)
})

test('a protected tag is pushed and deleted by the roles of its rule, and kept by policies and deletions of many', async () => {
  const { project, owner, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const path = project.full_path.toLowerCase()
  const [byDeveloper, byMaintainer] = [await imageClient(scene, path, login(developer)), await imageClient(scene, path, login(maintainer))]
  await byDeveloper.image('v1', Buffer.from('one'), OLD)
  await byDeveloper.image('dev', Buffer.from('two'), OLD)
  await byDeveloper.image('dev-v1', Buffer.from('three'), OLD)
  await owner.post(rulesOf(project), { tag_name_pattern: '^v\\d', ...both })
  await assert.rejects(byDeveloper.image('v2', Buffer.from('four')))
  await byMaintainer.image('v2', Buffer.from('four'), OLD)
  await byDeveloper.image('dev', Buffer.from('five'), OLD)
  const [{ id }] = (await owner.get(`${project.url}/registry/repositories`)).body
  const at = `${project.url}/registry/repositories/${id}`
  const tags = async () => (await owner.get(`${at}/tags`)).body.map(({ name }: { name: string }) => name).sort()
  assert.equal((await maintainer.delete(`${at}/tags/v1`)).status, 403)
  const registry = await imageClient(scene, path, login(maintainer), 'pull,push,delete')
  const { digest } = (await maintainer.get(`${at}/tags/v1`)).body
  for (const reference of ['v1', digest]) assert.equal((await registry.delete(`manifests/${reference}`)).status, 403, reference)
  assert.equal((await maintainer.delete(at)).status, 403)
  // Those that the caller may not delete stay, and the others go.
  await cleanUpRepository(scene.deps, { repository_id: id, user_id: maintainer.id, cleanup: { name_regex_delete: '.*' } })
  assert.deepEqual(await tags(), ['v1', 'v2'])
  const policy = { enabled: true, cadence: '1d', keep_n: null, older_than: '7d', name_regex_delete: '.*' }
  await owner.put(project.url, { container_expiration_policy_attributes: policy })
  await byMaintainer.image('late', Buffer.from('six'), OLD)
  await runCleanupPolicy(scene.deps, { project_id: project.id })
  assert.deepEqual(await tags(), ['v1', 'v2'])
  assert.equal((await owner.delete(`${at}/tags/v1`)).status, 200)
  assert.equal((await owner.delete(at)).status, 202)
})

test('an immutable tag is made by developers and kept by all, also where two make it concurrently', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const path = project.full_path.toLowerCase()
  const client = await imageClient(scene, path, login(developer))
  const rule = (await owner.post(rulesOf(project), { tag_name_pattern: '^v' })).body
  assert.equal(rule.immutable, true)
  await client.image('v1', Buffer.from('one'))
  // The same again changes nothing.
  await client.image('v1', Buffer.from('one'))
  for (const who of [developer, owner, scene.root])
    await assert.rejects((await imageClient(scene, path, login(who))).image('v1', Buffer.from('two')))
  const racing = await Promise.allSettled(['a', 'b', 'c', 'd'].map(content => client.image('v2', Buffer.from(content))))
  assert.equal(racing.filter(({ status }) => status === 'fulfilled').length, 1)
  const [{ id }] = (await owner.get(`${project.url}/registry/repositories`)).body
  const at = `${project.url}/registry/repositories/${id}`
  assert.equal((await owner.delete(`${at}/tags/v1`)).status, 403)
  assert.equal((await scene.root.delete(at)).status, 403)
  assert.equal((await owner.delete(`${rulesOf(project)}/${rule.id}`)).status, 204)
  assert.equal((await owner.delete(at)).status, 202)
})

/** A project with images, and an index of an index of one of them; the ids of all by their digest. */
async function indexedImage() {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const registry = await imageClient(scene, project.full_path.toLowerCase(), login(developer), 'pull,push,delete')
  const indexOf = async (type: string, digest: string) => {
    const size = (await registry.get(`manifests/${digest}`)).bytes.length
    const content = { schemaVersion: 2, mediaType: indexType, manifests: [{ mediaType: type, digest, size }] }
    const index = digestOfBytes(JSON.stringify(content))
    return { digest: index, push: (reference = index) => registry.manifest(reference, content, indexType) }
  }
  const document = await registry.document(Buffer.from(`layer of ${project.id}`))
  const image = digestOfBytes(JSON.stringify(document))
  await registry.manifest(image, document)
  const inner = await indexOf(manifestType, image)
  await inner.push()
  const outer = await indexOf(indexType, inner.digest)
  const [{ id }] = (await owner.get(`${project.url}/registry/repositories`)).body
  const is = { image, inner: inner.digest, outer: outer.digest, layer: document.layers[0]!.digest }
  return { project, owner, registry, inner, outer, is, repository: `${project.url}/registry/repositories/${id}`, id }
}

test('what an index names stays with the tag of the index, however many are between', async () => {
  const { project, owner, registry, inner, outer, is } = await indexedImage()
  const rule = (await owner.post(rulesOf(project), { tag_name_pattern: '^v' })).body
  assert.equal((await outer.push('v1')).status, 201)
  await inner.push('other')
  for (const digest of [is.outer, is.inner, is.image]) {
    const { status, body } = await registry.delete(`manifests/${digest}`)
    assert.deepEqual(
      [status, body.errors[0].code, body.errors[0].message],
      [403, 'DENIED', '403 Forbidden - Container registry tag protected.'],
      digest,
    )
  }
  assert.equal((await registry.delete(`blobs/${is.layer}`)).status, 405)
  assert.equal((await registry.delete('manifests/other')).status, 202)
  await collectGarbage({ ...scene.deps, now: () => new Date(Date.now() + 30 * 24 * 3_600_000) })
  for (const path of [`manifests/${is.inner}`, `manifests/${is.image}`, `blobs/${is.layer}`])
    assert.equal((await registry.head(path)).status, 200, path)
  // The roles of a rule delete the parts of what they may delete.
  await owner.patch(`${rulesOf(project)}/${rule.id}`, {
    minimum_access_level_for_push: 'maintainer',
    minimum_access_level_for_delete: 'owner',
  })
  assert.equal((await registry.delete(`manifests/${is.image}`)).status, 403)
  const byOwner = await imageClient(scene, project.full_path.toLowerCase(), login(owner), 'pull,push,delete')
  assert.equal((await byOwner.delete(`manifests/${is.image}`)).status, 202)
})

/** What a request answers that comes while another one makes a tag. */
const whileTagged = (repositoryId: number, digest: string, tag: string, request: () => Promise<Answer>) =>
  overtakenBy(
    scene.deps.database,
    [
      `insert into container_tags (repository_id, name, manifest_id)
       select repository_id, $3, id from container_manifests where repository_id = $1 and digest = $2`,
      [repositoryId, digest, tag],
    ],
    request,
  )

test('an immutable tag that comes while what it names is deleted stays', async () => {
  const { project, owner, registry, outer, is, id } = await indexedImage()
  await outer.push()
  await owner.post(rulesOf(project), { tag_name_pattern: '^v' })
  const tagged = [
    ['image', is.image, `manifests/${is.image}`],
    ['index', is.inner, `manifests/${is.image}`],
    ['index of the index', is.outer, `manifests/${is.image}`],
  ] as const
  for (const [what, digest, doomed] of tagged) {
    const { status } = await whileTagged(id, digest, 'v1', () => registry.delete(doomed))
    assert.deepEqual([status, (await registry.head('manifests/v1')).status], [403, 200], what)
    await scene.deps.database.db.deleteFrom('container_tags').where('repository_id', '=', id).execute()
  }
})

test('an index that comes to name another one, while an image of that is deleted, keeps the image', async () => {
  const { project, owner, registry, outer, is, id } = await indexedImage()
  await owner.post(rulesOf(project), { tag_name_pattern: '^v' })
  await outer.push()
  const { db } = scene.deps.database
  const manifestId = async (digest: string) =>
    (
      await db
        .selectFrom('container_manifests')
        .select('id')
        .where('repository_id', '=', id)
        .where('digest', '=', digest)
        .executeTakeFirstOrThrow()
    ).id
  const [parent, child] = [await manifestId(is.outer), await manifestId(is.inner)]
  await db.insertInto('container_tags').values({ repository_id: id, name: 'v1', manifest_id: parent }).execute()
  await db.deleteFrom('container_manifest_children').where('parent_id', '=', parent).execute()
  const { status } = await overtakenBy(
    scene.deps.database,
    ['insert into container_manifest_children (parent_id, child_id) values ($1, $2)', [parent, child]],
    () => registry.delete(`manifests/${is.image}`),
  )
  assert.deepEqual([status, (await registry.head(`manifests/${is.image}`)).status], [403, 200])
})

test('an immutable tag that comes while its image is deleted stays with it', async () => {
  const { project, owner, registry, is, repository, id } = await indexedImage()
  await owner.post(rulesOf(project), { tag_name_pattern: '^v' })
  const { status } = await whileTagged(id, is.image, 'v1', () => owner.delete(repository))
  assert.deepEqual([status, (await registry.head('manifests/v1')).status], [403, 200])
})

test('of two who delete a manifest, the second finds none', async () => {
  const { registry, is, id } = await indexedImage()
  const { status, body } = await overtakenBy(
    scene.deps.database,
    ['delete from container_manifests where repository_id = $1 and digest = $2', [id, is.image]],
    () => registry.delete(`manifests/${is.image}`),
  )
  assert.deepEqual([status, body.errors[0].code], [404, 'MANIFEST_UNKNOWN'])
})
