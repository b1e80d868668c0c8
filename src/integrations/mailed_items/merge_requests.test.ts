/** Merge requests that people make by mail, with patches that git made and such as are made to harm. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import pg from 'pg'
import { atEnd } from '../../../test/at_end.ts'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { git } from '../../platform/git/scene.ts'
import { contentOf, mailsWithBodies } from '../../platform/mail/outbox.ts'
import { mailService, mailSource, multipart, takingMail } from '../incoming_mail/scene.ts'
import { mailedItemAddress } from './addresses.ts'

const scene = await openScene({ settings: takingMail })
const { surfer } = oauthScene(scene)
const { hand } = mailService(scene)
const { db } = scene.deps.database

const addressOf = async (project: SceneProject, person: { readonly id: number }) =>
  (await mailedItemAddress({ db, deps: scene.deps }, project, person.id, 'merge-request')) as string

/** The words of the last mail that says why a mail was not taken. */
async function refusalTo(address: string): Promise<string> {
  const row = await mailsWithBodies(db)
    .where('recipient', '=', address)
    .where('mails.kind', '=', 'mail_refused')
    .orderBy('mails.id', 'desc')
    .executeTakeFirst()
  return row ? contentOf(row, scene.deps.secrets).text : ''
}

const folder = mkdtempSync(join(tmpdir(), 'patches-'))
atEnd(async () => rmSync(folder, { recursive: true, force: true }))

/** Patches of commits on top of a branch of the project, as `git format-patch` writes them: each commit is made by `change` in a working copy. */
function patchesOn(project: SceneProject, changes: readonly ((run: (...args: string[]) => string, at: string) => void)[]): string[] {
  const at = mkdtempSync(join(folder, 'copy-'))
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada Ünal',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_AUTHOR_DATE: '2020-02-03T04:05:06+0530',
    GIT_COMMITTER_NAME: 'x',
    GIT_COMMITTER_EMAIL: 'x@example.com',
  }
  const run = (...args: string[]) =>
    execFileSync('git', args, { cwd: at, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 })
  const { path } = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  run('clone', '-q', '-b', 'main', path, '.')
  const start = run('rev-parse', 'HEAD').trim()
  for (const [index, change] of changes.entries()) {
    change(run, at)
    run('add', '-A')
    run('commit', '-q', '-m', `Change ${index + 1}\n\nBecause of the lamp.`)
  }
  return run('format-patch', '--stdout', '--binary', start)
    .split(/^(?=From [0-9a-f]{40} )/m)
    .filter(part => part !== '')
}

const write = (path: string, text: string | Buffer) => (_run: unknown, at: string) => writeFileSync(join(at, path), text)

const attached = (name: string, patch: string) =>
  `Content-Type: text/x-patch; name="${name}"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${Buffer.from(patch).toString('base64').replace(/.{76}/g, '$&\r\n')}`

const mailWith = (text: string, files: Readonly<Record<string, string>>) =>
  multipart([
    `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
    ...Object.entries(files).map(([name, patch]) => attached(name, patch)),
  ])

async function world(options: Parameters<typeof scene.project>[0] = {}) {
  const made = await scene.project({ ...options, members: ['reporter', 'developer'] })
  const first = await scene.commit(made.project, { 'README.md': '# A\n', 'lamp.txt': 'one\ntwo\nthree\n' })
  const repository = scene.deps.storages.repository({ id: made.project.id, repository_storage: 'default' })
  const developer = made.developer as Person
  const to = await addressOf(made.project, developer)
  const requests = async () => (await made.owner.get(`${made.project.url}/merge_requests`, { sort: 'asc' })).body
  const branches = async () =>
    (await made.owner.get(`${made.project.url}/repository/branches`)).body.map(({ name }: { name: string }) => name)
  const send = (subject: string, text: string, files: Readonly<Record<string, string>> = {}) =>
    hand({ from: developer.email, to, subject, ...mailWith(text, files) })
  return { ...made, developer, first, repository, to, requests, branches, send }
}

test('the subject names the branch, the text is the description, and quick actions count', async () => {
  const { project, owner, developer, to, requests } = await world()
  await scene.commit(
    project,
    { 'new.txt': 'x' },
    { branch: 'brighter-lamp', start_branch: 'main', message: 'Paint it white\n\nIt was grey.' },
  )
  await owner.post(`${project.url}/repository/branches`, { branch: 'stable', ref: 'main' })
  await owner.post(`${project.url}/labels`, { name: 'paint', color: '#123456' })
  assert.match(to, /^incoming\+[a-z0-9-]+-\d+-i_[0-9a-z]+_0_[0-9a-z]{21}-merge-request@example\.com$/)
  assert.ok(to.indexOf('@') <= 64)
  const source = mailSource({
    from: developer.email,
    to,
    subject: 'brighter-lamp',
    text: 'Please look.\n\n/target_branch stable\n/label ~paint',
  })

  assert.deepEqual(await Promise.all([hand(source), hand(source)]), [200, 200])

  const [made, ...more] = await requests()
  assert.deepEqual(more, [])
  const { title, description, source_branch, target_branch, labels, author } = made
  assert.deepEqual(
    { title, description, source_branch, target_branch, labels, author: author.id },
    {
      title: 'Paint it white',
      description: 'Please look.',
      source_branch: 'brighter-lamp',
      target_branch: 'stable',
      labels: ['paint'],
      author: developer.id,
    },
  )
  await hand({ from: developer.email, to, subject: 'none-such', text: 'x' })
  assert.match(await refusalTo(developer.email), /source_branch|does not exist/)
  await hand({ from: developer.email, to, subject: 'brighter-lamp', text: '/target_branch none-such' })
  assert.match(await refusalTo(developer.email), /target_branch|does not exist/)
  await hand({ from: developer.email, to, subject: '', text: 'x' })
  assert.match(await refusalTo(developer.email), /no name of a branch/)
  assert.equal((await requests()).length, 1)
})

test('patches become commits of a new branch in the order of their names, with their authors and the sender as committer', async () => {
  const { project, developer, first, repository, requests, send, owner } = await world()
  const [one, two, three] = patchesOn(project, [
    write('lamp.txt', 'one\nzwei\nthree\n'),
    write('ünder.txt', 'new\n'),
    write('picture.bin', Buffer.from([0, 1, 2, 255])),
  ]) as [string, string, string]

  await send('patched', 'By mail', { '0002-b.patch': two, '0001-a.patch': one, '0003-c.patch': three, 'notes.txt': 'kept' })

  const [made] = await requests()
  assert.deepEqual(
    [made?.title, made?.source_branch, made?.target_branch],
    ['Patched', 'patched', 'main'],
    await refusalTo(developer.email),
  )
  assert.match(made.description, /^By mail\n\n\[notes\.txt\]\(\/uploads\/[0-9a-f]{32}\/notes\.txt\)$/)
  const log = git(repository, ['log', '--reverse', '--date=iso', '--format=%an|%ae|%ad|%ce|%s|%b', `${first}..patched`])
  const email = (await developer.get('/user')).body.commit_email
  assert.equal(
    log.replaceAll(/\n\n?/g, '\n').trim(),
    [1, 2, 3].map(n => `Ada Ünal|ada@example.com|2020-02-03 04:05:06 +0530|${email}|Change ${n}|Because of the lamp.`).join('\n'),
  )
  assert.equal(git(repository, ['ls-tree', '-r', '--name-only', 'patched']), 'README.md\nlamp.txt\npicture.bin\nünder.txt')
  assert.equal(git(repository, ['show', 'patched:lamp.txt']), 'one\nzwei\nthree')
  const { body: commits } = await owner.get(`${project.url}/merge_requests/${made.iid}/commits`)
  assert.equal(commits.length, 3)
  const events = (await developer.get(`/users/${developer.id}/events`, { action: 'pushed' })).body
  assert.equal(events[0].push_data.ref, 'patched')

  // On top of a branch that is there, of several patches in one file.
  await send('patched-too', 'x', { 'all.patch': one + two })
  assert.equal(git(repository, ['rev-list', '--count', `${first}..patched-too`]), '2')
  const again = patchesOn(project, [write('more.txt', 'more\n')])[0] as string
  await owner.put(`${project.url}/merge_requests/2`, { state_event: 'close' })
  await send('patched-too', 'x', { 'more.patch': again })
  assert.equal(git(repository, ['rev-list', '--count', `${first}..patched-too`]), '3')
})

test('what does not apply leaves nothing, and neither does what is no patch, too large, or too much', async () => {
  const { project, developer, repository, requests, branches, send } = await world()
  const [good] = patchesOn(project, [write('lamp.txt', 'one\nzwei\nthree\n')]) as [string]
  const refused = async (files: Readonly<Record<string, string>>, words: RegExp) => {
    await send('refused', 'x', files)
    assert.match(await refusalTo(developer.email), words)
    assert.deepEqual([await requests(), await branches()], [[], ['main']])
  }
  await refused({ 'a.patch': good, 'b.patch': good }, /b\.patch does not apply \(patch failed: lamp\.txt:1\)/)
  await refused({ 'a.patch': 'Hello' }, /a\.patch is no patch of git format-patch/)
  await refused({ 'a.patch': good.replace(/^diff --git[\s\S]*/m, '') }, /a\.patch does not apply \(No valid patches/)
  await refused({ 'a.patch': good + '#'.repeat(2 * 1024 * 1024) }, /larger than 2 MB together/)
  await refused({ 'a.patch': good.repeat(101) }, /100 patches are applied at most/)
  await refused(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`${index}.patch`, good])), /more files than are taken/)
  assert.equal(git(repository, ['for-each-ref', '--format=%(refname)']), 'refs/heads/main')
  assert.deepEqual(git(repository, ['count-objects', '-v']).match(/garbage: \d+/)?.[0], 'garbage: 0')
})

test('patches that are made to harm are refused, and reach nothing outside of the tree', async () => {
  const { project, developer, requests, branches, send } = await world()
  const [good] = patchesOn(project, [write('new.txt', 'x\n')]) as [string]
  const naming = (path: string, mode = '100644', content = 'x') =>
    good.replace(
      /^diff --git[\s\S]*?(?=^-- $)/m,
      [
        `diff --git a/${path} b/${path}`,
        `new file mode ${mode}`,
        'index 0000000..1111111',
        '--- /dev/null',
        `+++ b/${path}`,
        '@@ -0,0 +1 @@',
        `+${content}`,
        '',
      ].join('\n'),
    )
  for (const path of ['../../outside', '.git/hooks/pre-receive', '/etc/outside', 'a/../../outside', '.GIT/config', 'sub/.git/config']) {
    await send('harmful', 'x', { 'a.patch': naming(path) })
    assert.match(await refusalTo(developer.email), /does not apply|git refuses/, path)
  }
  // A link that leads out is a name in a tree: what is written through it is refused.
  await send('harmful', 'x', { 'a.patch': naming('link', '120000', '/etc'), 'b.patch': naming('link/outside') })
  assert.match(await refusalTo(developer.email), /b\.patch does not apply/)
  await send('harmful', 'x', { 'a.patch': naming('.gitmodules', '120000', '/etc/passwd') })
  assert.match(await refusalTo(developer.email), /does not apply|git refuses/)

  // A few bytes that unpack to a gigabyte.
  const size = 1024 * 1024 * 1024
  const bomb = deflateSync(Buffer.alloc(1024 * 1024 * 64), { level: 9 })
  const binary = [
    'diff --git a/bomb b/bomb',
    'new file mode 100644',
    `index ${'0'.repeat(40)}..${'1'.repeat(40)}`,
    'GIT binary patch',
    `literal ${size}`,
    ...base85(bomb),
    '',
    'literal 0',
    'HcmV?d00001',
    '',
    '',
  ].join('\n')
  await send('harmful', 'x', { 'a.patch': good.replace(/^diff --git[\s\S]*?(?=^-- $)/m, binary) })
  assert.match(await refusalTo(developer.email), /a\.patch does not apply/)
  assert.deepEqual([await requests(), await branches()], [[], ['main']])
})

/** Lines of a binary patch, as git writes them. */
function base85(bytes: Buffer): string[] {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 52) {
    const part = bytes.subarray(at, at + 52)
    const padded = Buffer.concat([part, Buffer.alloc((4 - (part.length % 4)) % 4)])
    let text = ''
    for (let index = 0; index < padded.length; index += 4) {
      let value = padded.readUInt32BE(index)
      let five = ''
      for (let digit = 0; digit < 5; digit++) {
        five = alphabet[value % 85] + five
        value = Math.floor(value / 85)
      }
      text += five
    }
    const length = part.length <= 26 ? String.fromCharCode(64 + part.length) : String.fromCharCode(96 + part.length - 26)
    lines.push(length + text)
  }
  return lines
}

test('the rules of pushes hold: protected branches, push rules, limits of storage, roles, and whose address it is', async () => {
  const { project, owner, reporter, developer, to, requests, branches, send } = await world()
  const [patch] = patchesOn(project, [write('lamp.txt', 'one\nzwei\nthree\n')]) as [string]
  await owner.post(`${project.url}/protected_branches`, { name: 'release/*', push_access_level: 40 })
  await send('release/1', 'x', { 'a.patch': patch })
  assert.match(await refusalTo(developer.email), /not allowed to push into this branch/)
  await send('main', 'x', { 'a.patch': patch })
  assert.match(await refusalTo(developer.email), /not allowed to push into this branch/)

  await owner.post(`${project.url}/push_rule`, { author_email_regex: '@elsewhere\\.example$' })
  await send('ruled', 'x', { 'a.patch': patch })
  assert.match(await refusalTo(developer.email), /ada@example\.com/)
  await owner.delete(`${project.url}/push_rule`)

  const [large] = patchesOn(project, [write('large.bin', randomBytes(1_400_000))]) as [string]
  await scene.root.put(project.url, { repository_size_limit: 1 })
  await send('large', 'x', { 'a.patch': large })
  assert.match(await refusalTo(developer.email), /limit/)
  await scene.root.put(project.url, { repository_size_limit: 0 })

  const outsider = await scene.user()
  const message = mailWith('x', { 'a.patch': patch })
  await hand({ from: reporter.email, to: await addressOf(project, reporter), subject: 'by-reporter', ...message })
  assert.match(await refusalTo(reporter.email), /may not create merge requests/)
  await hand({ from: outsider.email, to: await addressOf(project, outsider), subject: 'by-outsider', ...message })
  assert.match(await refusalTo(outsider.email), /is gone, or you have no access/)
  await hand({ from: reporter.email, to, subject: 'forged', ...message })
  assert.match(await refusalTo(reporter.email), /takes mails of another person/)
  assert.deepEqual([await requests(), await branches()], [[], ['main']])

  // A merge request that cannot be made takes its commits back.
  await send('twice', 'x', { 'a.patch': patch })
  const [{ sha }] = await requests()
  const [more] = patchesOn(project, [write('more.txt', 'more\n')]) as [string]
  await send('twice', 'x', { 'a.patch': more })
  assert.match(await refusalTo(developer.email), /already exists/)
  assert.equal((await owner.get(`${project.url}/repository/branches/twice`)).body.commit.id, sha)
})

test('a mail waits while another process makes a merge request of the same branch', async () => {
  const { project, requests, branches, send } = await world()
  const patches = patchesOn(project, [write('lamp.txt', 'one\nzwei\nthree\n')])
  const other = new pg.Client({ connectionString: scene.deps.database.url })
  await other.connect()
  try {
    const name = `mailed merge request ${project.id} lamp`
    await other.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    const sent = send('lamp', 'x', { 'a.patch': patches[0] as string })
    const isWaiting = async () => {
      const { rowCount } = await other.query(
        `select from pg_locks where locktype = 'advisory' and not granted
            and (classid::bigint << 32) + objid::bigint = hashtextextended($1, 0)`,
        [name],
      )
      return rowCount === 1
    }
    await eventually(isWaiting, 'the mail waits')
    assert.deepEqual([await requests(), await branches()], [[], ['main']])
    await other.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
    assert.equal(await sent, 200)
    assert.equal((await requests()).length, 1)
  } finally {
    await other.end()
  }
})

test('the page shows the address to those who may open merge requests of its branches', async () => {
  const person = await surfer()
  const { project } = await scene.project({ visibility: 'public', owner: person.person })
  const page = `/${project.full_path}/-/merge_requests/by_mail`
  assert.ok((await person.get(page)).body.includes(await addressOf(project, person.person)))
  assert.ok((await person.get(`/${project.full_path}/-/merge_requests`)).body.includes(page))
  const other = await surfer()
  assert.equal((await other.get(page)).status, 403)
})

test('a commit keeps the date of its patch, unless no commit can have it', async () => {
  const { project, owner, requests, send } = await world()
  const [patch] = patchesOn(project, [write('lamp.txt', 'one\nzwei\nthree\n')]) as [string]
  const dated = (date: string) => patch.replace(/^Date: .*$/m, `Date: ${date}`)
  await send('kept', 'x', { 'a.patch': patch })
  await send('far', 'x', { 'a.patch': dated('Sat, 13 Sep 275760 00:00:00 -0100') })
  await send('before', 'x', { 'a.patch': dated('Wed, 1 Jan 1969 00:00:00 +0000') })
  assert.equal((await requests()).length, 3)
  const dateOf = async (branch: string) =>
    (await owner.get(`${project.url}/repository/branches/${branch}`)).body.commit.authored_date as string
  assert.equal(await dateOf('kept'), '2020-02-03T04:05:06.000+05:30')
  const year = scene.deps.now().getUTCFullYear()
  for (const branch of ['far', 'before']) assert.equal(new Date(await dateOf(branch)).getUTCFullYear(), year, branch)
})
