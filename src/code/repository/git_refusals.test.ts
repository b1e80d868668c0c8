/** Input that git refuses is a 400 or a 413, on every path that leads to git. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../../test/folder.ts'
import { basic } from '../../../test/raw_push.ts'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { client } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'

const scene = await openScene()

const repositoryOf = (project: SceneProject) => scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
const tips = (project: SceneProject) => git(repositoryOf(project), ['for-each-ref', '--format=%(refname) %(objectname)'])

/** Contents of `.gitmodules` that would make a clone run programs. */
const modules = [
  '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch /tmp/x\n',
  '[submodule "x"]\n\tpath = -x\n\turl = https://example.com/x.git\n',
  '[submodule "../../x"]\n\tpath = x\n\turl = https://example.com/x.git\n',
]
const paths = ['.git::$INDEX_ALLOCATION/x', 'a/.git::$INDEX_ALLOCATION', 'GIT~1/config', 'a\\.git\\config', '.git ']

test('files that git refuses are a 400 of the API, and nothing moves', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'README.md': 'x' })
  const before = tips(project)
  const commit = (actions: object[]) => owner.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'x', actions })
  const many = Array.from({ length: 150 }, (_, index) => ({ action: 'create', file_path: `many/${index}`, content: `${index}` }))
  for (const content of modules) {
    const action = { action: 'create', file_path: '.gitmodules', content }
    const answers = await Promise.all([
      commit([action]),
      commit([...many, action]),
      owner.post(`${project.url}/repository/files/.gitmodules`, { branch: 'main', commit_message: 'x', content }),
      commit([{ action: 'move', previous_path: 'README.md', file_path: '.gitmodules', content }]),
    ])
    for (const { status, body } of answers) {
      assert.equal(status, 400, content)
      assert.match(body.message, /The files cannot be stored: git refuses/)
    }
  }
  for (const file_path of paths) {
    const answers = [
      await commit([{ action: 'create', file_path, content: 'x' }]),
      await owner.post(`${project.url}/repository/files/${encodeURIComponent(file_path)}`, {
        branch: 'main',
        commit_message: 'x',
        content: 'x',
      }),
      await commit([{ action: 'move', previous_path: 'README.md', file_path }]),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 400],
      file_path,
    )
  }
  assert.equal(tips(project), before)
  assert.equal(
    (await commit([{ action: 'create', file_path: '.gitmodules', content: '[submodule "x"]\n\tpath = x\n\turl = ../x.git\n' }])).status,
    201,
  )
})

test('an archive with names that git refuses, which imports can contain, is a 400 and not a partial archive', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'README.md': 'x' })
  const { path } = repositoryOf(project)
  const blob = git(path, ['rev-parse', 'main:README.md'])
  const input = Buffer.concat([Buffer.from('100644 .git::$INDEX_ALLOCATION\0'), Buffer.from(blob, 'hex')])
  const tree = git(path, ['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'], input)
  git(path, ['update-ref', 'refs/heads/imported', git(path, ['commit-tree', '-m', 'x', tree])])
  for (const format of ['zip', 'tar.gz']) {
    const { status, body } = await owner.get(`${project.url}/repository/archive.${format}`, { sha: 'imported' })
    assert.equal(status, 400)
    assert.match(body.message, /git cannot put these files into an archive/)
  }
  assert.equal((await owner.get(`${project.url}/repository/archive`, { sha: 'main' })).status, 200)
})

test('an archive whose format cannot hold the date of the commit is a 400, and the other formats are made', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'README.md': 'x' })
  const { path } = repositoryOf(project)
  for (const [branch, date] of [
    ['late', '99999999999999999999'],
    ['early', '-1'],
  ] as const) {
    const commit = git(path, ['cat-file', '-p', 'main']).replace(/^(author|committer) (.*>) .*$/gm, `$1 $2 ${date} +0000`)
    const id = git(path, ['hash-object', '-t', 'commit', '--literally', '-w', '--stdin'], Buffer.from(`${commit}\n`))
    git(path, ['update-ref', `refs/heads/${branch}`, id])

    const { status, body } = await owner.get(`${project.url}/repository/archive.zip`, { sha: branch })

    assert.equal(status, 400)
    assert.match(body.message, /The date of the commit is too large for an archive of the format zip/)
    assert.equal((await owner.get(`${project.url}/repository/archive.tar.gz`, { sha: branch })).status, 200)
  }
})

/** Dates of a commit that git takes with a push and then cannot write, or that no clock has. */
const dates = ['1 -9999999', '1 +9999', '0 -2400', '-1 +0000', '99999999999999999999 +0000', 'x +0000', '1.5 +0000', '']

test('a commit and a tag whose dates git cannot write are listed and shown like others', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'README.md': 'x' })
  const { path } = repositoryOf(project)
  const write = (type: string, text: string) => git(path, ['hash-object', '-t', type, '--literally', '-w', '--stdin'], Buffer.from(text))
  for (const [index, date] of dates.entries()) {
    const text = git(path, ['cat-file', '-p', 'main']).replace(/^(author|committer) (.*>) .*$/gm, `$1 $2 ${date}`)
    const commit = write('commit', `${text}\n`)
    const tag = write('tag', `object ${commit}\ntype commit\ntag t${index}\ntagger A <a@example.com> ${date}\n\nx\n`)
    git(path, ['update-ref', `refs/heads/b${index}`, commit])
    git(path, ['update-ref', `refs/tags/t${index}`, tag])
  }

  const api = ['branches?sort=updated_desc', 'branches?sort=updated_asc', 'tags?order_by=updated', 'commits?all=true']
  const pages = ['branches', 'tags', 'tags?format=atom', 'compare/main...b0']
  const commits = dates.flatMap((_date, index) => [`commits/b${index}`, `commits/b${index}?format=atom`, `tree/b${index}`])
  const answers = await Promise.all([
    ...api.map(async at => [at, (await owner.get(`${project.url}/repository/${at}`)).status]),
    ...[...pages, ...commits].map(async at => [at, (await scene.anonymous.get(`${scene.url}/${project.full_path}/-/${at}`)).status]),
  ])

  assert.deepEqual(
    answers.filter(([, status]) => status !== 200),
    [],
  )
  const listed = (await owner.get(`${project.url}/repository/branches`, { sort: 'updated_desc', per_page: 50 })).body
  assert.equal(listed.length, dates.length + 1)
  for (const { commit } of listed) assert.ok(!Number.isNaN(Date.parse(commit.committed_date)), commit.committed_date)
})

test('a push of such files is refused with a report, and the reasons are reported', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'README.md': 'x' })
  const work = join(await testFolder(), 'work')
  const url = `${scene.url}/${project.full_path}.git`
  const header = ['-c', `http.extraHeader=Authorization: ${basic(owner).authorization}`]
  await client('/', [...header, 'clone', '--quiet', url, work])
  await writeFile(join(work, '.gitmodules'), modules[0] as string)
  git(work, ['add', '-A'])
  git(work, ['commit', '--quiet', '-m', 'x'])
  const before = tips(project)

  const { code, output } = await client(work, [...header, 'push', 'origin', 'HEAD:topic'])

  assert.equal(code, 1)
  assert.match(output, /gitmodulesUrl/)
  assert.match(output, /! \[remote rejected\] HEAD -> topic/)
  assert.equal(tips(project), before)
})

test('a blame of more than 64 MB is a 413, and other reads of the file work', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'lines.txt': 'x\n'.repeat(1_600_000) })
  const at = `${project.url}/repository/files/lines.txt`
  const { status, body } = await owner.get(`${at}/blame`, { ref: 'main' })
  assert.equal(status, 413)
  assert.match(body.message, /^413 Request Entity Too Large/)
  assert.equal((await owner.get(at, { ref: 'main' })).status, 200)
})

test('a file whose name is not UTF-8 is read, and its blame is a 404', async () => {
  const { project, owner } = await scene.project()
  const head = await scene.commit(project, { a: '1' })
  const repository = repositoryOf(project)
  const blob = git(repository, ['rev-parse', `${head}:a`])
  const entry = Buffer.concat([Buffer.from(`100644 blob ${blob}\t`), Buffer.from([0xff, 0xfe, 0x80, 0])])
  const tree = execFileSync('git', ['-C', repository.path, 'mktree', '-z'], { input: entry }).toString().trim()
  git(repository, ['update-ref', 'refs/heads/odd', git(repository, ['commit-tree', '-m', 'odd', tree])])

  const file = `${project.url}/repository/files/${encodeURIComponent('\ufffd\ufffd\ufffd')}`

  assert.equal((await owner.get(`${file}/raw`, { ref: 'odd' })).status, 200)
  assert.equal((await owner.get(`${file}/blame`, { ref: 'odd' })).status, 404)
})
