import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { makePair } from '../../identity/saml/scene_pair.ts'

const scene = await openScene()

const platform = { api_url: 'https://cluster.example.com', token: 'kept-token' }
const input = { name: 'main', platform_kubernetes_attributes: platform }

const storedToken = async (id: number) =>
  (await scene.deps.database.db.selectFrom('clusters').select('token').where('id', '=', id).executeTakeFirstOrThrow()).token

test('Maintainers add a cluster to a project, with defaults, and its token is encrypted and never shown', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const { certificate } = makePair()
  const url = `${project.url}/clusters`

  const { status, body } = await maintainer.post(`${url}/user`, {
    ...input,
    domain: 'apps.example.com',
    platform_kubernetes_attributes: { ...platform, namespace: 'Web', ca_cert: `${certificate}\n` },
  })

  assert.equal(status, 201)
  const { user, project: holder, created_at, ...rest } = body
  assert.deepEqual([user.id, holder.id, typeof created_at], [maintainer.id, project.id, 'string'])
  assert.deepEqual(rest, {
    id: body.id,
    name: 'main',
    domain: 'apps.example.com',
    enabled: true,
    managed: true,
    provider_type: 'user',
    platform_type: 'kubernetes',
    environment_scope: '*',
    cluster_type: 'project_type',
    namespace_per_environment: true,
    platform_kubernetes: {
      api_url: 'https://cluster.example.com',
      namespace: 'web',
      authorization_type: 'rbac',
      ca_cert: certificate.trim(),
    },
    provider_gcp: null,
    management_project: null,
  })
  assert.doesNotMatch((await storedToken(body.id)) as string, /kept-token/)
  assert.deepEqual((await maintainer.get(`${url}/${body.id}`)).body, body)
  const listed = (await maintainer.get(url)).body
  assert.deepEqual([listed.length, listed[0].id, listed[0].project], [1, body.id, undefined])
  assert.equal((await developer.get(url)).status, 403)
  assert.equal((await maintainer.delete(`${url}/${body.id}`)).status, 204)
  assert.deepEqual(await maintainer.get(`${url}/${body.id}`), { status: 404, body: { message: '404 Cluster Not Found' } })
})

test('groups and the instance have clusters of their own, and one is not found beside another', async () => {
  const { group, owner } = await scene.group()
  const ofGroup = await owner.post(`${group.url}/clusters/user`, input)
  const ofInstance = await scene.root.post('/admin/clusters/add', { ...input, environment_scope: 'general/*' })

  assert.deepEqual([ofGroup.status, ofGroup.body.cluster_type, ofGroup.body.group.id], [201, 'group_type', group.id])
  assert.deepEqual([ofInstance.status, ofInstance.body.cluster_type, ofInstance.body.project], [201, 'instance_type', undefined])
  assert.equal((await owner.get(`${group.url}/clusters/${ofInstance.body.id}`)).status, 404)
  assert.equal((await scene.root.get(`/admin/clusters/${ofGroup.body.id}`)).status, 404)
  assert.equal((await owner.get('/admin/clusters')).status, 403)
  const changed = await scene.root.put(`/admin/clusters/${ofInstance.body.id}`, { name: 'general', enabled: false, domain: '' })
  assert.deepEqual([changed.status, changed.body.name, changed.body.enabled, changed.body.domain], [200, 'general', false, null])
  assert.equal((await scene.root.delete(`/admin/clusters/${ofInstance.body.id}`)).status, 204)
})

test('what a cluster cannot have is refused by its attribute', async () => {
  const { project, owner } = await scene.project()
  const { group, owner: groupOwner } = await scene.group()
  const foreign = await scene.project()
  const url = `${project.url}/clusters`
  const { body } = await owner.post(`${url}/user`, input)
  const refused: [object, object, string][] = [
    [{}, {}, 'environment_scope'],
    [{ environment_scope: 'a/*', domain: 'no host' }, {}, 'domain'],
    [{ environment_scope: 'a/*', management_project_id: foreign.project.id }, {}, 'management_project_id'],
    [{ environment_scope: 'a/*', name: ' ' }, {}, 'name'],
    [{ environment_scope: 'a/*' }, { api_url: 'cluster' }, 'platform_kubernetes.api_url'],
    [{ environment_scope: 'a/*' }, { api_url: 'https://10.0.0.1' }, 'platform_kubernetes.api_url'],
    [{ environment_scope: 'a/*' }, { api_url: 'https://name:word@cluster.example.com' }, 'platform_kubernetes.api_url'],
    [{ environment_scope: 'a/*' }, { token: 'one\r\ntwo' }, 'platform_kubernetes.token'],
    [{ environment_scope: 'a/*' }, { ca_cert: '-----BEGIN CERTIFICATE-----\nx' }, 'platform_kubernetes.ca_cert'],
    [{ environment_scope: 'a/*' }, { namespace: 'gitlab-managed-apps' }, 'platform_kubernetes.namespace'],
    [{ environment_scope: 'a/*' }, { namespace: 'a_b' }, 'platform_kubernetes.namespace'],
  ]
  for (const [more, ofPlatform, attribute] of refused) {
    const answer = await owner.post(`${url}/user`, { ...input, ...more, platform_kubernetes_attributes: { ...platform, ...ofPlatform } })
    assert.deepEqual([answer.status, Object.keys(answer.body.message)], [400, [attribute]], attribute)
  }
  assert.deepEqual((await owner.post(`${url}/user`, input)).body, {
    message: { environment_scope: ['cannot add duplicated environment scope'] },
  })
  const named = { ...input, platform_kubernetes_attributes: { ...platform, namespace: 'web' } }
  assert.deepEqual((await groupOwner.post(`${group.url}/clusters/user`, named)).body, {
    message: { 'platform_kubernetes.namespace': ['only allowed for project cluster'] },
  })
  assert.equal((await groupOwner.post(`${group.url}/clusters/user`, { ...named, managed: false })).status, 201)
  assert.equal((await owner.put(`${url}/${body.id}`, { platform_kubernetes_attributes: { api_url: 'ftp://x' } })).status, 400)
})

test('a token is kept with its address, and forgotten with another one unless it is given again', async () => {
  const { project, owner } = await scene.project()
  const { body } = await owner.post(`${project.url}/clusters/user`, input)
  const url = `${project.url}/clusters/${body.id}`
  const put = (platform_kubernetes_attributes: object) => owner.put(url, { platform_kubernetes_attributes })
  const kept = await storedToken(body.id)

  assert.equal((await put({ api_url: platform.api_url, namespace: 'web' })).status, 200)
  assert.equal(await storedToken(body.id), kept)
  const moved = await put({ api_url: 'https://elsewhere.example.com' })
  assert.deepEqual([moved.status, moved.body.platform_kubernetes.api_url], [200, 'https://elsewhere.example.com'])
  assert.equal(await storedToken(body.id), null)
  await put({ api_url: 'https://cluster.example.com', token: 'another' })
  assert.notEqual(await storedToken(body.id), null)
})

test('a project below the holder can manage a cluster, and is named to those who may see it', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const url = `${group.url}/clusters`

  const { status, body } = await owner.post(`${url}/user`, { ...input, management_project_id: project.id })

  assert.deepEqual([status, body.management_project.id], [201, project.id])
  const another = await owner.post(`${project.url}/clusters/user`, { ...input, management_project_id: project.id })
  assert.deepEqual(another.body, { message: { environment_scope: ['cannot add duplicated environment scope'] } })
  const changed = await owner.put(`${url}/${body.id}`, { management_project_id: null })
  assert.deepEqual([changed.status, changed.body.management_project], [200, null])
})

test('of clusters that are added at a time no more are taken than there is room for', async () => {
  const { project, owner } = await scene.project()
  const { group } = await scene.group({ owner })
  const { db } = scene.deps.database
  for (const [place, url] of [
    [{ project_id: project.id }, `${project.url}/clusters/user`],
    [{ namespace_id: group.id }, `${group.url}/clusters/user`],
  ] as const) {
    const values = Array.from({ length: 99 }, (_, row) => ({
      ...place,
      name: `cluster ${row}`,
      api_url: platform.api_url,
      environment_scope: `scope/${row}`,
    }))
    await db.insertInto('clusters').values(values).execute()

    const sent = await Promise.all([1, 2, 3, 4].map(row => owner.post(url, { ...input, environment_scope: `new/${row}` })))

    assert.deepEqual(sent.map(({ status }) => status).sort(), [201, 400, 400, 400])
  }
})

test('a holder has a hundred clusters and no more', async () => {
  const { project, owner } = await scene.project()
  const values = Array.from({ length: 100 }, (_, row) => ({
    project_id: project.id,
    name: `cluster ${row}`,
    api_url: platform.api_url,
    environment_scope: `scope/${row}`,
  }))
  await scene.deps.database.db.insertInto('clusters').values(values).execute()

  assert.deepEqual(await owner.post(`${project.url}/clusters/user`, input), {
    status: 400,
    body: { message: { base: ['Maximum number of clusters (100) exceeded'] } },
  })
})
