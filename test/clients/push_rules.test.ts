/** Push rules before the system's git, over HTTP and SSH, and in the API: what they refuse does not move, and leaves nothing behind. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCheckouts } from './checkouts.ts'
import { openSsh } from './ssh_scene.ts'

const { scene, workbench, attempt: attemptBySsh, keyOf, addressOf } = await openSsh()
const { attempt, commit, git, pushedProject } = await openCheckouts(scene, workbench)

const tip = async (url: string, branch: string) =>
  (await scene.root.get(`${url}/repository/branches/${encodeURIComponent(branch)}`)).body.commit?.id

/** A project with a commit, its rules, and a repository with a commit that is to be pushed. */
async function ruled(rule: object, files: Readonly<Record<string, string | Buffer>> = { 'b.txt': 'b' }, message = 'Plain') {
  const { project, owner, directory } = await pushedProject()
  assert.equal((await owner.post(`${project.url}/push_rule`, rule)).status, 201)
  const before = await git(directory, 'rev-parse', 'HEAD')
  await commit(directory, files, message)
  return { project, owner, directory, before }
}

for (const [wrong, { rule, files, message, says }] of Object.entries({
  'a message without what it must have': {
    rule: { commit_message_regex: 'Fixes #\\d+$' },
    says: /Commit message does not follow the pattern 'Fixes #\\d\+\$'/,
  },
  'a message with what it must not have': {
    rule: { commit_message_negative_regex: '^wip' },
    message: 'Begin\n\nwip: more\n',
    says: /contains the forbidden pattern/,
  },
  'an author of elsewhere': { rule: { author_email_regex: '@corp\\.example$' }, says: /Author's email 'ida@example.com' does not follow/ },
  'an author who is no user': { rule: { member_check: true }, says: /'ida@example.com' is not a user/ },
  'a committer who is another': { rule: { commit_committer_check: true }, says: /You cannot push commits for 'ida@example.com'/ },
  'a commit without signature': { rule: { reject_unsigned_commits: true }, says: /must be signed/ },
  'a file of a forbidden name': { rule: { file_name_regex: '\\.exe$' }, files: { 'bin/a.exe': 'x' }, says: /bin\/a\.exe was prohibited/ },
  'a private key': { rule: { prevent_secrets: true }, files: { 'config/id_rsa': 'x' }, says: /id_rsa was prohibited/ },
  'a file that is too large': {
    rule: { max_file_size: 1 },
    files: { 'big.bin': Buffer.alloc(1024 * 1024 + 1, 7) },
    says: /big\.bin is larger than the allowed size of 1 MB/,
  },
} as Record<string, { rule: object; files?: Record<string, string | Buffer>; message?: string; says: RegExp }>))
  test(`${wrong} is refused, and nothing of it stays`, async () => {
    const { project, directory, before } = await ruled(rule, files, message)

    const refused = await attempt(directory, 'push', 'origin', 'main')

    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, says)
    assert.equal(await tip(project.url, 'main'), before)
    const repository = scene.deps.storages.repository(
      await scene.deps.database.db
        .selectFrom('projects')
        .select(['id', 'repository_storage'])
        .where('id', '=', project.id)
        .executeTakeFirstOrThrow(),
    )
    const objects = await readdir(join(repository.path, 'objects'))
    assert.deepEqual(
      objects.filter(name => name.startsWith('tmp_')),
      [],
    )
    const lost = await git(directory, 'rev-parse', 'HEAD')
    assert.equal((await scene.root.get(`${project.url}/repository/commits/${lost}`)).status, 404)
    assert.equal((await scene.root.delete(`${project.url}/push_rule`)).status, 204)
    assert.equal((await attempt(directory, 'push', 'origin', 'main')).code, 0)
  })

test('what keeps to the rules is pushed, and what was there before is not asked for', async () => {
  const { project, owner, directory } = await pushedProject()
  await commit(directory, { 'old.exe': 'x' }, 'Old')
  await git(directory, 'push', '--quiet', 'origin', 'main')
  await owner.post(`${project.url}/push_rule`, {
    commit_message_regex: '^Fixes',
    file_name_regex: 'exe$',
    max_file_size: 1,
    branch_name_regex: '^ok/',
  })
  await commit(directory, { 'old.exe': 'changed', 'new.txt': 'y' }, 'Begin\n\nFixes it')

  const pushed = await attempt(directory, 'push', 'origin', 'main', 'main:ok/one')
  const misnamed = await attempt(directory, 'push', 'origin', 'main:other')

  assert.equal(pushed.code, 0, pushed.stderr)
  assert.equal(await tip(project.url, 'ok/one'), await git(directory, 'rev-parse', 'HEAD'))
  assert.match(misnamed.stderr, /Branch name does not follow the pattern '\^ok\/'/)
  await git(directory, 'merge-base', 'HEAD', 'HEAD~1')
  assert.equal((await attempt(directory, 'push', 'origin', ':ok/one')).code, 0)
})

test('tags are not deleted by pushes, but by the API', async () => {
  const { project, owner, directory } = await pushedProject()
  await git(directory, 'tag', 'v1')
  await git(directory, 'push', '--quiet', 'origin', 'v1')
  await owner.post(`${project.url}/push_rule`, { deny_delete_tag: true })

  const refused = await attempt(directory, 'push', 'origin', ':v1')

  assert.match(refused.stderr, /You cannot delete a tag/)
  assert.equal((await owner.delete(`${project.url}/repository/tags/v1`)).status, 204)
})

test('an atomic push with one bad commit moves nothing', async () => {
  const { project, owner, directory } = await pushedProject()
  await owner.post(`${project.url}/push_rule`, { branch_name_regex: '^ok/' })

  const refused = await attempt(directory, 'push', '--atomic', 'origin', 'HEAD:ok/a', 'HEAD:bad')

  assert.notEqual(refused.code, 0)
  assert.equal((await owner.get(`${project.url}/repository/branches`)).body.length, 1)
})

test('the same holds over SSH', async () => {
  const { project, owner, directory } = await ruled({ commit_message_regex: '^Fixes' })
  const key = await keyOf(owner)

  const refused = await attemptBySsh(key, directory, 'push', addressOf(project), 'main')
  await git(directory, 'commit', '--quiet', '--amend', '-m', 'Fixes it')
  const taken = await attemptBySsh(key, directory, 'push', addressOf(project), 'main')

  assert.match(refused.stderr, /Commit message does not follow the pattern '\^Fixes'/)
  assert.equal(taken.code, 0, taken.stderr)
  assert.equal(await tip(project.url, 'main'), await git(directory, 'rev-parse', 'HEAD'))
})

test('commits, branches and merges of the API keep to them too', async () => {
  const { project, owner } = await scene.project({})
  await scene.commit(project, { 'a.txt': 'a' })
  const mergeRequest = await scene.mergeRequest(project)
  await owner.post(`${project.url}/push_rule`, { commit_message_regex: '^Fixes', file_name_regex: 'exe$', branch_name_regex: '^ok/' })
  const commits = `${project.url}/repository/commits`
  const action = (file_path: string) => ({ branch: 'main', actions: [{ action: 'create', file_path, content: 'x' }] })
  const before = await tip(project.url, 'main')

  const refused = await owner.post(commits, { ...action('b.txt'), commit_message: 'Plain' })
  const named = await owner.post(commits, { ...action('b.exe'), commit_message: 'Fixes it' })
  const branch = await owner.post(`${project.url}/repository/branches`, { branch: 'other', ref: 'main' })
  const merged = await owner.put(`${mergeRequest.url}/merge`, { merge_commit_message: 'Plain' })

  assert.deepEqual([refused.status, refused.body.message.startsWith('Commit message does not follow')], [400, true])
  assert.deepEqual([named.status, named.body.message], [400, "File name b.exe was prohibited by the pattern 'exe$'."])
  assert.deepEqual([branch.status, branch.body.message], [400, "Branch name does not follow the pattern '^ok/'."])
  assert.equal(merged.status, 400)
  assert.equal(await tip(project.url, 'main'), before)
  assert.equal((await owner.post(commits, { ...action('b.txt'), commit_message: 'Fixes it' })).status, 201)
})

test('a new project has the rules of the nearest group above, and keeps them when they change there', async () => {
  const { group, owner } = await scene.group()
  const below = await scene.group({ owner, parent: group })
  await owner.post(`${group.url}/push_rule`, { member_check: true, commit_message_regex: 'outer' })
  await scene.root.post('/admin/push_rule', { prevent_secrets: true })

  const { project } = await scene.project({ group: below.group, owner })
  const { project: own } = await scene.project({})
  await owner.post(`${below.group.url}/push_rule`, { commit_message_regex: 'inner' })
  const { project: later } = await scene.project({ group: below.group, owner })
  await scene.root.delete('/admin/push_rule')

  const ruleOf = async ({ url }: { readonly url: string }) => (await scene.root.get(`${url}/push_rule`)).body
  assert.deepEqual([(await ruleOf(project)).commit_message_regex, (await ruleOf(project)).member_check], ['outer', true])
  assert.equal((await ruleOf(own)).prevent_secrets, true)
  assert.equal((await ruleOf(later)).commit_message_regex, 'inner')
  assert.equal(await ruleOf((await scene.project({})).project), null)
})
