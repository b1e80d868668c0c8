import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

test('push rules of a project are set once, changed and taken away', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const url = `${project.url}/push_rule`

  assert.deepEqual((await maintainer.get(url)).body, null)
  assert.equal((await maintainer.put(url, { member_check: true })).status, 404)
  assert.equal((await maintainer.delete(url)).status, 404)
  const made = await maintainer.post(url, { commit_message_regex: 'Fixes \\d+', deny_delete_tag: true, max_file_size: 5 })
  const { id: _, created_at: __, ...rest } = made.body
  assert.equal(made.status, 201)
  assert.deepEqual(rest, {
    project_id: project.id,
    commit_message_regex: 'Fixes \\d+',
    commit_message_negative_regex: null,
    branch_name_regex: null,
    author_email_regex: null,
    file_name_regex: null,
    deny_delete_tag: true,
    member_check: false,
    prevent_secrets: false,
    commit_committer_check: false,
    reject_unsigned_commits: false,
    max_file_size: 5,
  })
  assert.deepEqual((await maintainer.get(url)).body, made.body)
  const again = await maintainer.post(url, {})
  assert.deepEqual([again.status, again.body], [422, { message: 'Project push rule exists' }])
  const changed = await maintainer.put(url, { commit_message_regex: '', member_check: true })
  assert.deepEqual([changed.body.commit_message_regex, changed.body.member_check, changed.body.max_file_size], ['', true, 5])
  const wrong = await maintainer.put(url, { branch_name_regex: '(', file_name_regex: 'a(?=b)' })
  assert.deepEqual([wrong.status, Object.keys(wrong.body.message)], [400, ['branch_name_regex', 'file_name_regex']])
  assert.equal((await developer.get(url)).status, 403)
  assert.equal((await maintainer.delete(url)).status, 204)
  assert.equal((await maintainer.get(url)).body, null)
})

test('a pattern that stands for very many steps is refused, and any other reads messages of any length', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  await scene.commit(project, { 'a.txt': 'a' })
  const url = `${project.url}/push_rule`
  const large = await maintainer.post(url, { commit_message_regex: `(?s)${'.{0,1000}'.repeat(25)}[^a]$` })
  assert.deepEqual([large.status, large.body], [400, { message: { commit_message_regex: ['is no valid RE2 pattern, or is too large'] } }])
  assert.equal((await maintainer.post(url, { commit_message_regex: '(?s).{0,900}[^a]$' })).status, 201)
  let files = 0
  const commit = (commit_message: string) =>
    maintainer.post(`${project.url}/repository/commits`, {
      branch: 'main',
      commit_message,
      actions: [{ action: 'create', file_path: `${++files}.txt`, content: 'b' }],
    })
  assert.equal((await commit(`${'a'.repeat(10_000)}b`)).status, 201)
  const type = '^(feat|fix|docs|chore)(\\([a-z]+\\))?: .{1,50}'
  assert.equal((await maintainer.put(url, { commit_message_regex: type })).status, 200)
  assert.equal((await commit(`fix: a\n\n${'what was wrong\n'.repeat(50_000)}`)).status, 201)
  assert.deepEqual(await commit(`fix\n\n${'what was wrong\n'.repeat(50_000)}`).then(({ status }) => status), 400)
})

test('push rules of a group belong to its Owners; without any the answer is 404', async () => {
  const { group, owner, maintainer } = await scene.group({ members: ['maintainer'] })
  const url = `${group.url}/push_rule`

  assert.equal((await owner.get(url)).status, 404)
  assert.equal((await owner.post(url, { prevent_secrets: true })).status, 201)
  const again = await owner.post(url, {})
  assert.deepEqual([again.status, again.body], [422, { message: 'Group push rule exists, try updating' }])
  assert.equal('project_id' in (await owner.get(url)).body, false)
  assert.equal((await maintainer.get(url)).status, 403)
  assert.equal((await owner.put(url, { max_file_size: 7 })).body.max_file_size, 7)
  assert.equal((await owner.delete(url)).status, 204)
})
