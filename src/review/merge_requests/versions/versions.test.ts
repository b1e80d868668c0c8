import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../../test/scene.ts'
import { gitProcesses, housekeeping } from '../../../platform/git/index.ts'
import { git, importCommits } from '../../../platform/git/scene.ts'
import { recordVersion, surveyVersion } from './record.ts'

const scene = await openScene()
const { db } = scene.deps.database

const repositoryOf = (project: { readonly id: number }) => scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })

/** Makes a pushed commit a version, as the processing of a push does. */
async function push(project: SceneProject, mergeRequest: { readonly id: number }, head: string) {
  const repository = repositoryOf(project)
  const version = await surveyVersion(repository, repository, { head, start: git(repository, ['rev-parse', 'main']) })
  await recordVersion(db, mergeRequest.id, version, new Date())
}

// biome-ignore lint/suspicious/noExplicitAny: an answer
const without = ({ created_at, ...version }: any) => version

test('each version has its three commits, and shows commits and diffs as git does (document 3 "Merge request diff version")', async () => {
  const { project, owner } = await scene.project()
  const { id, url, sha, source_branch } = await scene.mergeRequest(project, { files: { 'a.txt': 'a\n' } })
  const repository = repositoryOf(project)
  const head = await scene.commit(project, { 'b.txt': 'b\n' }, { branch: source_branch, message: 'More' })
  const start = await scene.commit(project, { 'elsewhere.txt': 'x\n' })
  await push(project, { id }, head)
  const base = git(repository, ['merge-base', 'main', source_branch])

  const { body: versions } = await owner.get(`${url}/versions`)
  assert.deepEqual(versions.map(without), [
    {
      id: versions[0].id,
      head_commit_sha: head,
      base_commit_sha: base,
      start_commit_sha: start,
      merge_request_id: id,
      state: 'collected',
      real_size: '2',
    },
    {
      id: versions[1].id,
      head_commit_sha: sha,
      base_commit_sha: base,
      start_commit_sha: base,
      merge_request_id: id,
      state: 'collected',
      real_size: '1',
    },
  ])
  assert.ok(versions[0].id > versions[1].id)
  const { body: latest } = await owner.get(`${url}/versions/${versions[0].id}`)
  assert.deepEqual(
    latest.commits.map((commit: { id: string }) => commit.id),
    git(repository, ['rev-list', `main..${source_branch}`]).split('\n'),
  )
  assert.deepEqual(Object.keys(latest.commits[0]).sort().slice(0, 4), ['author_email', 'author_name', 'authored_date', 'committed_date'])
  assert.deepEqual(
    latest.diffs.map((entry: { diff: string }) => entry.diff),
    ['--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n', '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n'],
  )
  const { body: first } = await owner.get(`${url}/versions/${versions[1].id}`)
  assert.deepEqual(
    [first.commits.length, first.diffs[0].new_path, first.diffs[0].a_mode, first.diffs[0].b_mode, first.diffs[0].new_file],
    [1, 'a.txt', '0', '100644', true],
  )
  assert.equal((await owner.get(`${url}/versions/${versions[0].id + 1000}`)).status, 404)
})

test('an old version can be read after force pushes, after its branches are gone, and after garbage collection', async () => {
  const { project, owner } = await scene.project()
  const { id, url, sha, source_branch } = await scene.mergeRequest(project, { files: { 'a.txt': 'a\n' } })
  const repository = repositoryOf(project)
  const [version] = (await owner.get(`${url}/versions`)).body
  const before = (await owner.get(`${url}/versions/${version.id}`)).body
  const rewritten = importCommits(repository, 'other', [{ files: { 'z.txt': 'z\n' } }], 'main')
  git(repository, ['update-ref', `refs/heads/${source_branch}`, rewritten])
  await push(project, { id }, rewritten)
  git(repository, ['update-ref', '-d', `refs/heads/${source_branch}`])
  git(repository, ['update-ref', '-d', 'refs/heads/other'])
  git(repository, ['update-ref', 'refs/merge-requests/1/head', rewritten])
  git(repository, ['reflog', 'expire', '--expire=now', '--all'])
  await housekeeping(repository)
  git(repository, ['prune', '--expire=now'])

  assert.deepEqual((await owner.get(`${url}/versions/${version.id}`)).body, before)
  assert.equal(git(repository, ['cat-file', '-t', sha]), 'commit')
  assert.equal((await owner.get(`${url}/changes`)).body.changes[0].new_path, 'z.txt')
})

test('changes, diffs, raw diffs and commits match git, with unusual names and contents', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'old name.txt': `${'line\n'.repeat(30)}`, 'gone.txt': 'x\n' })
  const repository = repositoryOf(project)
  const sub = git(repository, ['rev-parse', 'main'])
  importCommits(
    repository,
    'topic',
    [
      {
        message: 'Everything',
        files: {
          'old name.txt': null,
          'new name.txt': `${'line\n'.repeat(30)}more\n`,
          'gone.txt': null,
          'ü "quoted".txt': 'x\n',
          'latin.txt': Buffer.from([0xe9, 10]),
          'image.bin': Buffer.from([0, 1, 2]),
          tool: { mode: '100755', content: '#!\n' },
          link: { mode: '120000', content: 'tool' },
          sub: { mode: '160000', content: sub },
        },
      },
    ],
    'main',
  )
  const { url } = await scene.mergeRequest(project, { source_branch: 'topic' })
  const { body } = await owner.get(`${url}/changes`)

  const names = git(repository, ['diff', '--name-only', '-M', '-z', 'main...topic']).split('\0').filter(Boolean)
  assert.deepEqual(body.changes.map((entry: { new_path: string }) => entry.new_path).sort(), names.sort())
  assert.deepEqual([body.changes_count, body.overflow, body.iid, body.user], [String(names.length), false, 1, { can_merge: true }])
  const renamed = body.changes.find((entry: { renamed_file: boolean }) => entry.renamed_file)
  assert.deepEqual([renamed.old_path, renamed.new_path], ['old name.txt', 'new name.txt'])
  const pages = [1, 2, 3].map(page => owner.get(`${url}/diffs?per_page=3&page=${page}`))
  const paged = (await Promise.all(pages)).flatMap(page => page.body)
  assert.deepEqual(
    paged.map(({ collapsed, too_large, ...entry }) => entry),
    body.changes,
  )
  assert.equal((await owner.get(`${url}/diffs?per_page=3`)).headers['x-total'], String(names.length))
  const raw = await owner.request('GET', `${url}/raw_diffs`)
  const expected = git(repository, ['diff', '--full-index', '-M', '--submodule=short', 'main...topic'])
  assert.equal(String(raw.body).trimEnd().replaceAll('\ufffd', ''), Buffer.from(expected).toString('utf8').replaceAll('\ufffd', ''))
  const { body: commits } = await owner.get(`${url}/commits`)
  assert.deepEqual(
    commits.map((commit: { id: string; title: string }) => [commit.id, commit.title]),
    [[git(repository, ['rev-parse', 'topic']), 'Everything']],
  )
})

test('the page of a merge request is available as a diff and as patches of git, to users who may see it', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  const repository = repositoryOf(project)
  const files = { 'b.txt': 'b\n', 'bytes.bin': Buffer.from([0, 1, 2, 255]) }
  importCommits(repository, 'topic', [{ message: 'One\n\nWith a text', files }, { files: { 'ü.txt': 'ü\n' } }], 'main')
  const { iid } = await scene.mergeRequest(project, { source_branch: 'topic' })
  const page = (end: string, token = owner.token) =>
    scene.app.inject({ method: 'GET', url: `/${project.full_path}/-/merge_requests/${iid}.${end}`, headers: { 'private-token': token } })

  const [diff, patch] = [await page('diff'), await page('patch')]

  assert.deepEqual([diff.statusCode, patch.statusCode], [200, 200])
  assert.match(String(diff.headers['content-type']), /^text\/plain/)
  assert.equal(diff.body.trimEnd(), git(repository, ['diff', '--full-index', '-M', 'main...topic']))
  assert.equal(patch.body.trimEnd(), git(repository, ['format-patch', '--stdout', 'main..topic']).trimEnd())
  const stranger = await scene.user()
  assert.deepEqual([(await page('patch', stranger.token)).statusCode, (await page('pdf')).statusCode], [404, 404])
})

test('changes above the limits are truncated and marked, and available in full on request (document 3 `overflow`, decision 41)', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  const repository = repositoryOf(project)
  const files = Object.fromEntries(Array.from({ length: 1002 }, (_, index) => [`file-${index}`, `${index}\n`]))
  importCommits(repository, 'many', [{ files }], 'main')
  importCommits(repository, 'large', [{ files: { 'big.txt': 'some text\n'.repeat(30_000), 'small.txt': 'x\n' } }], 'main')
  const many = await scene.mergeRequest(project, { source_branch: 'many' })
  const large = await scene.mergeRequest(project, { source_branch: 'large' })

  const { body: single } = await owner.get(many.url)
  assert.deepEqual([single.changes_count, single.overflow], ['1000+', true])
  const { body: cut } = await owner.get(`${many.url}/changes`)
  assert.deepEqual([cut.changes.length, cut.overflow, cut.changes_count], [1000, true, '1000+'])
  const { body: whole } = await owner.get(`${many.url}/changes?access_raw_diffs=true`)
  assert.deepEqual([whole.changes.length, whole.overflow], [1002, false])
  const [version] = (await owner.get(`${many.url}/versions`)).body
  assert.deepEqual([version.real_size, version.state], ['1000+', 'overflow_diff_files_limit'])
  const diffs = (await owner.get(`${large.url}/diffs`)).body
  assert.deepEqual(
    diffs.map((entry: { new_path: string; too_large: boolean; diff: string }) => [entry.new_path, entry.too_large, entry.diff === '']),
    [
      ['big.txt', true, true],
      ['small.txt', false, false],
    ],
  )
  const { body: raw } = await owner.get(`${large.url}/changes?access_raw_diffs=true`)
  assert.deepEqual([raw.overflow, raw.changes[0].diff.split('\n').length > 30_000], [false, true])
})

test('a merge request without changes is empty, and has the fields that were requested', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'same', ref: 'main' })
  const { url } = await scene.mergeRequest(project, { source_branch: 'same', title: '**bold** title', description: 'See #1 and `code`' })
  for (const name of ['b.txt', 'c.txt']) await scene.commit(project, { [name]: 'x\n' })
  const asked = 'include_diverged_commits_count=true&include_rebase_in_progress=true&render_html=true'
  const { body } = await owner.get(`${url}?${asked}`)

  assert.deepEqual(
    [body.changes_count, body.overflow, body.diverged_commits_count, body.rebase_in_progress, body.title_html],
    ['0', false, 2, false, '<strong>bold</strong> title'],
  )
  assert.match(body.description_html, /<code>code<\/code>/)
  assert.deepEqual((await owner.get(`${url}/commits`)).body, [])
  assert.deepEqual((await owner.get(`${url}/diffs`)).body, [])
  assert.deepEqual((await owner.get(`${url}/changes`)).body.changes, [])
  assert.equal((await owner.get(`${url}/versions`)).body[0].state, 'empty')
  // Contract: only on request (decision 41).
  const plain = (await owner.get(url)).body
  assert.deepEqual(
    ['diverged_commits_count', 'rebase_in_progress', 'title_html', 'description_html'].filter(name => name in plain),
    [],
  )
  assert.deepEqual(
    [plain.head_pipeline, plain.pipeline, plain.latest_build_started_at, plain.first_deployed_to_production_at, plain.merge_error],
    [null, null, null, null, null],
  )
})

test('`can_merge` depends on the target branch (document 3 `user.can_merge`)', async () => {
  const { project, developer, reporter, maintainer } = await scene.project({ members: ['developer', 'reporter', 'maintainer'] })
  const { url } = await scene.mergeRequest(project)
  const mayMerge = async (who: typeof developer) => (await who.get(url)).body.user.can_merge

  // `main` is protected: Maintainers merge.
  assert.deepEqual([await mayMerge(reporter), await mayMerge(developer), await mayMerge(maintainer)], [false, false, true])
})

test('the number of git processes of a request does not grow with the merge request', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  const repository = repositoryOf(project)
  const commits = Array.from({ length: 12 }, (_, index) => ({ files: { [`f-${index}`]: `${index}\n` } }))
  for (const branch of ['first', 'small']) importCommits(repository, branch, [{ files: { [branch]: 'x\n' } }], 'main')
  importCommits(repository, 'large', commits, 'main')
  const processesOf = async (work: () => Promise<unknown>) => {
    const before = gitProcesses.started
    await work()
    return gitProcesses.started - before
  }
  const costs = []
  for (const source_branch of ['first', 'small', 'large']) {
    let url = ''
    const create = await processesOf(async () => {
      url = (await scene.mergeRequest(project, { source_branch })).url
    })
    const [version] = (await owner.get(`${url}/versions`)).body
    const reads = [
      url,
      `${url}/changes`,
      `${url}/commits`,
      `${url}/diffs`,
      `${url}/raw_diffs`,
      `${url}/versions`,
      `${url}/versions/${version.id}`,
    ]
    const counted = []
    for (const path of reads) counted.push(await processesOf(() => owner.get(path)))
    costs.push([create, ...counted])
  }
  // The first request caches the tip of the target branch.
  assert.deepEqual(costs[1], costs[2])
  const [create, single, changes, , diffs, raw] = costs[2]!
  assert.ok(create! <= 5, `creating takes ${create}`)
  assert.deepEqual([single, changes, diffs, raw], [0, 1, 1, 1])
})
