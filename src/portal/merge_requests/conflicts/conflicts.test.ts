import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { git, type ImportedCommit, importCommits } from '../../../platform/git/scene.ts'
import { startTaskWorker } from '../../../server/tasks.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

type Files = NonNullable<ImportedCommit['files']>

/** A public project whose branches `main` and `topic` changed the files of `base` in their ways, and a merge request of `topic`. */
async function place(base: Files, ours: Files, theirs: Files) {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await owner.person.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'README.md', content: '# It\n' }],
  })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const root = importCommits(repository, 'main', [{ files: base }])
  importCommits(repository, 'topic', [{ files: ours }], root)
  importCommits(repository, 'main', [{ files: theirs }])
  const { body, status } = await owner.person.post(`${project.url}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'main',
    title: 'Topic',
  })
  assert.equal(status, 201)
  const page = `/${project.full_path}/-/merge_requests/${body.iid}/conflicts`
  const say = (...args: string[]) => git(repository, args)
  return { project, repository, api: `${project.url}/merge_requests/${body.iid}`, page, say }
}

/** What the form of a page holds: the tips, and the names of its choices in order. */
function formOf(html: string) {
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
  const names = [...html.matchAll(/name="((?:choices|files)\[[^"]+\])" value="ours"/g)].map(([, name]) => name as string)
  const texts = [...html.matchAll(/name="(texts\[[^"]+\])"/g)].map(([, name]) => name as string)
  return { tips: { source_sha: value('source_sha'), target_sha: value('target_sha') }, names, texts }
}

const text = (lines: readonly string[], end = '\n') => lines.map(line => line + end).join('')

test('each conflict is decided for a side, and a commit with both parents keeps line ends, mark and last line', async () => {
  const base = `\uFEFF${text(['one', '2', '3', '4', '5', '6', '7', 'eight'], '\r\n')}end`
  const { page, say, api } = await place(
    { 'a <b>.txt': base, 'other.txt': 'x\n' },
    { 'a <b>.txt': base.replace('one', 'ONE').replace('eight', 'EIGHT') },
    { 'a <b>.txt': base.replace('one', 'One').replace('eight', 'Eight').replace('5', 'five'), 'other.txt': 'y\n' },
  )
  const shown = await owner.get(page)
  assert.equal(shown.status, 200)
  assert.match(shown.body, /a &lt;b&gt;\.txt/)
  assert.match(shown.body, /Merge branch &#39;main&#39; into &#39;topic&#39;|Merge branch '?main/)
  const { tips, names } = formOf(shown.body)
  assert.equal(names.length, 2)

  const half = await owner.submit(page, { ...tips, commit_message: 'Join <them>', [names[0] as string]: 'ours' })
  assert.equal(half.status, 422)
  assert.match(half.body, /one conflict is not decided/)
  assert.match(half.body, /Join &lt;them&gt;/)
  assert.match(half.body, / checked>/)

  const before = { topic: say('rev-parse', 'topic'), main: say('rev-parse', 'main') }
  const made = await owner.submit(page, {
    ...tips,
    commit_message: 'Join\r\n\r\nthem',
    [names[0] as string]: 'ours',
    [names[1] as string]: 'theirs',
  })
  assert.equal(made.status, 303)
  assert.equal(say('log', '-1', '--format=%P', 'topic'), `${before.topic} ${before.main}`)
  assert.equal(say('log', '-1', '--format=%B%an', 'topic'), `Join\n\nthem${owner.person.name}`)
  assert.equal(say('cat-file', 'blob', 'topic:a <b>.txt'), base.replace('one', 'ONE').replace('eight', 'Eight').replace('5', 'five'))
  assert.equal(say('cat-file', 'blob', 'topic:other.txt'), 'y')
  assert.equal(say('rev-parse', 'main'), before.main)
  assert.match((await owner.get(page)).body, /No conflicts/)
  await eventually(async () => (await owner.person.get(api)).body.sha === say('rev-parse', 'topic'), 'a new version')
  await eventually(async () => (await owner.person.get(api)).body.merge_status === 'can_be_merged', 'the check')
})

test('a whole text is edited, and is refused while it has markers', async () => {
  const { page, say } = await place({ f: 'a\nb\nc\n' }, { f: 'a\nX\nc\n' }, { f: 'a\nY\nc\n' })
  const { tips, texts } = formOf((await owner.get(page)).body)
  const [name = ''] = texts
  const use = { [name.replace('texts', 'files')]: 'text' }
  const marked = await owner.submit(page, { ...tips, commit_message: 'Join', ...use, [name]: 'a\r\n<<<<<<< topic\r\nX and more\r\n' })
  assert.equal(marked.status, 422)
  assert.match(marked.body, /line 2 is still a conflict marker/)
  assert.match(marked.body, /X and more/)
  assert.equal((await owner.submit(page, { ...tips, commit_message: 'Join', ...use, [name]: 'a\r\nX and Y\r\nc\r\n' })).status, 303)
  assert.equal(say('cat-file', '-s', 'topic:f'), String('a\nX and Y\nc\n'.length))
})

test('a file that one side deleted, or that is no text, is taken as one side has it', async () => {
  const binary = (byte: number) => Buffer.from([0, 1, byte])
  const { page, say } = await place(
    { gone: 'a\n', kept: 'a\n', 'image.bin': binary(1) },
    { gone: 'b\n', kept: null, 'image.bin': binary(2) },
    { gone: null, kept: 'c\n', 'image.bin': binary(3) },
  )
  const { tips, names } = formOf((await owner.get(page)).body)
  assert.equal(names.length, 3)
  const all = Object.fromEntries(names.map(name => [name, 'theirs']))
  assert.equal((await owner.submit(page, { ...tips, commit_message: 'Join', ...all })).status, 303)
  assert.equal(say('ls-tree', '--name-only', 'topic'), 'README.md\nimage.bin\nkept')
  assert.equal(say('rev-parse', 'topic:image.bin'), say('rev-parse', 'main:image.bin'))
})

test('what cannot be resolved here says so, and leaves the form away', async () => {
  const { page } = await place(
    { a: text(['1', '2', '3', '4']), f: 'x\n' },
    { a: null, b: text(['1', '2', '3', '4']), f: 'y\n' },
    { a: null, c: text(['1', '2', '3', '4']), f: 'z\n' },
  )
  const shown = await owner.get(page)
  assert.match(shown.body, /renamed the file/)
  assert.match(shown.body, /git merge origin\/main/)
  assert.doesNotMatch(shown.body, /Commit to/)
})

test('branches that moved meanwhile refuse what was decided, and keep it', async () => {
  const { page, say, project } = await place({ f: 'a\nb\nc\n', g: 'a\n' }, { f: 'a\nX\nc\n', g: 'b\n' }, { f: 'a\nY\nc\n', g: 'c\n' })
  const { tips, names, texts } = formOf((await owner.get(page)).body)
  const decided = { commit_message: 'Mine', ...Object.fromEntries(names.map(name => [name, 'theirs'])), [texts[0] as string]: 'typed' }
  await owner.person.post(`${project.url}/repository/commits`, {
    branch: 'topic',
    commit_message: 'Meanwhile',
    actions: [{ action: 'create', file_path: 'new.txt', content: 'n' }],
  })
  const tip = say('rev-parse', 'topic')
  const late = await owner.submit(page, { ...tips, ...decided })
  assert.equal(late.status, 422)
  assert.match(late.body, /A branch has moved/)
  assert.match(late.body, />\ntyped</)
  assert.equal([...late.body.matchAll(/value="theirs"[^>]* checked/g)].length, 2)
  assert.equal((await owner.submit(page, { ...formOf(late.body).tips, ...decided })).status, 303)
  assert.equal(say('rev-parse', 'topic^1'), tip)
})

test('of two who resolve at one time one succeeds', async () => {
  const { page, say } = await place({ f: 'a\n' }, { f: 'b\n' }, { f: 'c\n' })
  const { tips, names } = formOf((await owner.get(page)).body)
  const before = say('rev-parse', 'topic')
  const answers = await Promise.all(
    ['ours', 'theirs'].map(side => owner.submit(page, { ...tips, commit_message: side, [names[0] as string]: side })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422])
  assert.equal(say('rev-parse', 'topic^1'), before)
})

test('those who may not push see the conflicts, and cannot resolve them', async () => {
  const { page, say, project } = await place({ f: 'a\n' }, { f: 'b\n' }, { f: 'c\n' })
  const { tips, names } = formOf((await owner.get(page)).body)
  const seen = await reader.get(page)
  assert.equal(seen.status, 200)
  assert.match(seen.body, /Only those who may push/)
  assert.doesNotMatch(seen.body, /Commit to/)
  const before = say('rev-parse', 'topic')
  assert.equal((await reader.submit(page, { ...tips, commit_message: 'x', [names[0] as string]: 'ours' })).status, 403)
  await owner.person.post(`${project.url}/protected_branches`, { name: 'topic', push_access_level: 0 })
  assert.equal((await owner.submit(page, { ...tips, commit_message: 'x', [names[0] as string]: 'ours' })).status, 403)
  assert.equal(say('rev-parse', 'topic'), before)
})

test('conflicts with a fork are resolved in the fork', async () => {
  const { project, repository, say } = await place({ f: 'a\n' }, { f: 'b\n' }, { f: 'c\n' })
  const { body: fork } = await reader.person.post(`${project.url}/fork`, {})
  await eventually(async () => (await reader.person.get(`/projects/${fork.id}`)).body.import_status === 'finished', 'the fork')
  const forked = scene.deps.storages.repository({ id: fork.id, repository_storage: 'default' })
  importCommits(forked, 'mine', [{ files: { f: 'd\n' } }], git(forked, ['rev-parse', 'main^']))
  const { body, status } = await reader.person.post(`/projects/${fork.id}/merge_requests`, {
    source_branch: 'mine',
    target_branch: 'main',
    title: 'Mine',
    target_project_id: project.id,
  })
  assert.equal(status, 201)
  const target = importCommits(repository, 'main', [{ files: { f: 'newer\n' } }])
  const page = `/${project.full_path}/-/merge_requests/${body.iid}/conflicts`
  const { tips, names } = formOf((await reader.get(page)).body)
  assert.equal(tips.target_sha, target)
  assert.equal((await owner.submit(page, { ...tips, commit_message: 'x', [names[0] as string]: 'ours' })).status, 403)
  assert.equal((await reader.submit(page, { ...tips, commit_message: 'x', [names[0] as string]: 'ours' })).status, 303)
  assert.equal(git(forked, ['rev-parse', 'mine^2']), target)
  assert.equal(say('rev-parse', 'main'), target)
})
