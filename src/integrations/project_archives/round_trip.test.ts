/** A project that is exported and imported again, compared relation by relation. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Client, openScene } from '../../../test/scene.ts'
import { formWith, png } from '../../spaces/uploads/scene.ts'
import { exported, imported } from './scene.ts'

const scene = await openScene()
const { root } = scene
const author = await scene.user({ username: 'author-of-all' })
const reviewer = await scene.user({ username: 'reviewer-of-all' })
const { group } = await scene.group({ owner: author, visibility: 'public' })
const { project } = await scene.project({ group, owner: author, visibility: 'public', description: 'Lamps' })
const { url } = project

/** Sends a request that must succeed. */
async function made(client: Client, path: string, body: object = {}) {
  const answer = await client.post(path, body)
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

await made(author, `${url}/members`, { user_id: reviewer.id, access_level: 30 })
await scene.commit(project, { 'README.md': '# Lamps\n', 'lamp.txt': 'one\ntwo\nthree\n' })
await made(author, `${url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
await made(author, `/groups/${group.id}/labels`, { name: 'of the group', color: '#00ff00' })
await made(author, `${url}/labels`, { name: 'bug', color: '#ff0000', description: 'Broken', priority: 3 })
const { id: milestone_id } = await made(author, `${url}/milestones`, { title: 'First', due_date: '2030-05-01' })
const bytes = png(4)
const upload = (await author.post(`${url}/uploads`, formWith('file', 'lamp.png', bytes))).body
const first = await made(author, `${url}/issues`, {
  title: 'The lamp is dark',
  description: `See ${upload.markdown}\n\n- [x] look\n- [ ] mend`,
  labels: 'bug,of the group',
  milestone_id,
  assignee_ids: [reviewer.id],
  due_date: '2030-04-01',
  weight: 3,
})
const second = await made(author, `${url}/issues`, { title: 'A secret', confidential: true, description: 'As #1' })
await made(author, `${url}/issues/1/award_emoji`, { name: 'thumbsup' })
await made(author, `${url}/issues/1/time_estimate`, { duration: '3h' })
await made(author, `${url}/issues/1/add_spent_time`, { duration: '1h', summary: 'Looked at it' })
const note = await made(reviewer, `${url}/issues/1/notes`, { body: 'Which lamp?' })
await made(author, `${url}/issues/1/notes/${note.id}/award_emoji`, { name: 'eyes' })
const thread = await made(author, `${url}/issues/1/discussions`, { body: 'A thread' })
await made(reviewer, `${url}/issues/1/discussions/${thread.id}/notes`, { body: 'and its answer' })
await author.put(`${url}/issues/${second.iid}`, { state_event: 'close' })
const open = await scene.mergeRequest(project, {
  author,
  title: 'Draft: Mend the lamp',
  files: { 'new.txt': 'a\nb\n' },
  labels: 'bug',
  milestone_id,
})
const merged = await scene.mergeRequest(project, { author, title: 'Another lamp', reviewer_ids: [reviewer.id] })
const { diff_refs } = (await author.get(open.url)).body
await made(reviewer, `${open.url}/discussions`, {
  body: 'Why?',
  position: { position_type: 'text', ...diff_refs, new_path: 'new.txt', old_path: 'new.txt', new_line: 2 },
})
assert.equal((await author.put(`${merged.url}/merge`)).status, 200)
await made(author, `${url}/releases`, {
  tag_name: 'v1',
  name: 'One',
  description: 'The first',
  milestones: ['First'],
  assets: { links: [{ name: 'Lamp', url: 'https://example.com/lamp.zip', filepath: '/lamp.zip' }] },
})
await made(author, `${url}/protected_branches`, { name: 'stable-*', push_access_level: 0, merge_access_level: 30 })
await made(author, `${url}/protected_tags`, { name: 'v*', create_access_level: 40 })
await made(author, `${url}/packages/protection/rules`, {
  package_name_pattern: '@team/*',
  package_type: 'npm',
  minimum_access_level_for_push: 'owner',
})
await made(author, `${url}/registry/protection/repository/rules`, {
  repository_path_pattern: `${project.full_path}/*`,
  minimum_access_level_for_push: 'maintainer',
  minimum_access_level_for_delete: 'admin',
})
const board = await made(author, `${url}/boards`, { name: 'Work' })
const { id: label_id } = (await author.get(`${url}/labels/bug`)).body
await made(author, `${url}/boards/${board.id}/lists`, { label_id })
await made(author, `${url}/snippets`, {
  title: 'A script',
  visibility: 'public',
  description: 'Runs',
  files: [{ file_path: 'run.sh', content: 'make\n' }],
})
await made(author, `${url}/wikis`, { title: 'Home', content: 'Welcome' })
await author.put(url, {
  merge_method: 'ff',
  only_allow_merge_if_pipeline_succeeds: true,
  ci_config_path: 'ci/all.yml',
  topics: 'light,house',
  container_expiration_policy_attributes: {
    enabled: true,
    cadence: '7d',
    keep_n: 5,
    older_than: null,
    name_regex: 'tmp-.*',
    name_regex_keep: 'v.*',
  },
})

const archive = await exported(scene, root, project)
const copy = await imported(scene, root, archive, { namespace: group.full_path, name: 'Copy' })

/** Drops what is of an instance and not of a project: ids, addresses, times of what was made now. */
function ofProject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ofProject)
  if (typeof value === 'string')
    return value
      .replaceAll(`${copy.sent.path_with_namespace}`, 'PLACE')
      .replaceAll(project.full_path, 'PLACE')
      .replace(/\/projects\/\d+/g, '/projects/N')
  if (typeof value !== 'object' || value === null) return value
  const left = [
    'id',
    'project_id',
    'noteable_id',
    'source_project_id',
    'target_project_id',
    'label_id',
    'import_status',
    'import_error',
    'merge_request_id',
    'resource_id',
    'awardable_id',
  ]
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !left.includes(name))
      .map(([name, each]) => [name, ofProject(each)]),
  )
}

/** Both projects' answers at a path. */
async function assertSame(path: string, without: readonly string[] = []) {
  const strip = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(strip)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([name]) => !without.includes(name))
              .map(([name, each]) => [name, strip(each)]),
          )
        : value
  const [before, after] = [await author.get(`${url}${path}`), await author.get(`${copy.url}${path}`)]
  assert.deepEqual([before.status, after.status], [200, 200], path)
  assert.deepEqual(strip(ofProject(after.body)), strip(ofProject(before.body)))
  return after.body
}

test('the import has finished', () => {
  assert.deepEqual([copy.state.import_status, copy.state.import_error, copy.state.failed_relations], ['finished', null, []])
  assert.equal(copy.state.import_type, 'gitlab_project')
  assert.equal(copy.state.correlation_id, copy.sent.correlation_id)
  assert.equal(copy.sent.import_status, 'scheduled')
})

describe('what is the same afterwards', () => {
  const same: readonly (readonly [path: string, without?: readonly string[]])[] = [
    ['/labels?with_counts=true', ['subscribed']],
    ['/milestones', []],
    ['/issues?order_by=created_at&sort=asc', ['merge_requests_count', 'user', 'subscribed', 'updated_at']],
    ['/issues/1/notes?sort=asc&order_by=created_at', []],
    ['/issues/2/notes?sort=asc&order_by=created_at', []],
    ['/issues/1/award_emoji', []],
    ['/issues/1/time_stats', []],
    ['/issues/1/resource_label_events', []],
    ['/issues/1/resource_milestone_events', []],
    ['/issues/2/resource_state_events', []],
    [
      '/merge_requests?order_by=created_at&sort=asc',
      ['merge_status', 'detailed_merge_status', 'updated_at', 'merge_user', 'merged_by', 'has_conflicts'],
    ],
    [`/merge_requests/${open.iid}/commits`, []],
    [
      `/merge_requests/${open.iid}/changes`,
      ['merge_status', 'detailed_merge_status', 'updated_at', 'subscribed', 'has_conflicts', 'first_contribution'],
    ],
    [`/merge_requests/${open.iid}/notes?sort=asc&order_by=created_at`, []],
    [`/merge_requests/${merged.iid}/notes?sort=asc&order_by=created_at`, []],
    ['/releases', ['collected_at', 'evidences', 'evidence_file_path', 'sources']],
    ['/protected_branches', []],
    ['/protected_tags', []],
    ['/packages/protection/rules', []],
    ['/registry/protection/repository/rules', []],
    ['/boards', ['project']],
    ['/snippets', ['raw_url', 'http_url_to_repo', 'ssh_url_to_repo', 'web_url']],
    ['/wikis?with_content=true', []],
    ['/repository/branches', []],
    ['/repository/tags', []],
    ['/members', ['created_at', 'created_by']],
  ]
  for (const [path, without] of same) test(path, () => assertSame(path, without))
})

test('threads are threads of the new project: their ids are others, so that nothing done to one happens to the other', async () => {
  const of = async (place: string) =>
    (await author.get(`${place}/issues/1/discussions`)).body as { id: string; notes: { body: string; type: string | null }[] }[]
  const [before, after] = [await of(url), await of(copy.url)]
  assert.deepEqual(
    after.map(({ notes }) => notes.map(({ body, type }) => [body, type])),
    before.map(({ notes }) => notes.map(({ body, type }) => [body, type])),
  )
  assert.ok(after.every(({ id }) => before.every(other => other.id !== id)))
})

test('a note on a line stays on its line, and can be resolved', async () => {
  const [discussion] = (await author.get(`${copy.url}/merge_requests/${open.iid}/discussions`)).body.filter(
    (each: { notes: { type: string }[] }) => each.notes[0]?.type === 'DiffNote',
  )
  assert.deepEqual([discussion.notes[0].position.new_line, discussion.notes[0].position.new_path], [2, 'new.txt'])
  const resolved = await author.put(`${copy.url}/merge_requests/${open.iid}/discussions/${discussion.id}`, { resolved: true })
  assert.equal(resolved.status, 200)
  const [other] = (await author.get(`${open.url}/discussions`)).body.filter(
    (each: { notes: { type: string }[] }) => each.notes[0]?.type === 'DiffNote',
  )
  assert.equal(other.notes[0].resolved, false)
})

test('a file that a text names is there under the same relative address', async () => {
  const served = await fetch(`${scene.url}/${copy.sent.path_with_namespace}${upload.url}`, { headers: { 'private-token': author.token } })
  assert.equal(served.status, 200)
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), bytes)
})

test('the settings come along', async () => {
  const names = [
    'description',
    'visibility',
    'default_branch',
    'merge_method',
    'only_allow_merge_if_pipeline_succeeds',
    'ci_config_path',
    'topics',
    'open_issues_count',
  ]
  const [before, after] = [(await author.get(url)).body, (await author.get(copy.url)).body]
  assert.deepEqual(
    names.map(name => after[name]),
    names.map(name => before[name]),
  )
  assert.equal(after.name, 'Copy')
  // Its first run is a cadence after the import.
  const policies = [before, after].map(({ container_expiration_policy: { next_run_at: _next, ...policy } }) => policy)
  assert.deepEqual(policies[1], policies[0])
  assert.deepEqual([policies[1].enabled, policies[1].cadence, policies[1].name_regex], [true, '7d', 'tmp-.*'])
})

test('registries that are switched off stay so', async () => {
  const { project: source } = await scene.project({ owner: author })
  await author.put(source.url, { packages_enabled: false, container_registry_enabled: false })
  const { url: place } = await imported(scene, author, await exported(scene, author, source))
  const { packages_enabled, container_registry_enabled } = (await author.get(place)).body
  assert.deepEqual([packages_enabled, container_registry_enabled], [false, false])
})

test('new issues and merge requests go on counting', async () => {
  assert.equal((await made(author, `${copy.url}/issues`, { title: 'Next' })).iid, 3)
  assert.equal((await author.get(`${copy.url}/issues/1`)).body.iid, first.iid)
})

test('a cross reference is hidden from those who may not see what names the item', async () => {
  const outsider = await scene.user()
  const bodies = async (client: Client) =>
    ((await client.get(`${copy.url}/issues/1/notes`)).body as { body: string }[]).filter(each => each.body.startsWith('mentioned in'))
  assert.deepEqual((await bodies(outsider)).length, 0)
  assert.deepEqual((await bodies(author)).length, 1)
})

test('LFS objects come along', async () => {
  const { project: source } = await scene.project({ owner: author })
  const content = Buffer.from('a large picture')
  const oid = createHash('sha256').update(content).digest('hex')
  const address = `${scene.url}/${source.full_path}.git/gitlab-lfs/objects/${oid}/${content.length}`
  const basic = `Basic ${Buffer.from(`oauth2:${author.token}`).toString('base64')}`
  const put = await fetch(address, {
    method: 'PUT',
    body: content,
    headers: { authorization: basic, 'content-type': 'application/octet-stream' },
  })
  assert.equal(put.status, 200)
  const { sent, state } = await imported(scene, author, await exported(scene, author, source))
  assert.equal(state.import_status, 'finished', state.import_error)
  const got = await fetch(`${scene.url}/${sent.path_with_namespace}.git/gitlab-lfs/objects/${oid}`, { headers: { authorization: basic } })
  assert.deepEqual(Buffer.from(await got.arrayBuffer()), content)
})
