/**
 * Git over SSH with the system's `ssh` and `git`, as people and machines use it.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startSshServer } from '../../src/code/ssh/server.ts'
import { places } from '../../src/platform/config.ts'
import { loadSshHostKey } from '../../src/server/setup/ssh_host_key.ts'
import type { SceneProject } from '../scene.ts'
import { openSsh } from './ssh_scene.ts'

const {
  hostKey,
  scene,
  server,
  workbench,
  commit,
  git,
  place,
  pushedProject,
  newPair,
  options,
  keyOf,
  addressOf,
  attempt,
  gitWith,
  cloneWith,
  tipOf,
} = await openSsh()

test('`ssh_url_to_repo` is cloned, fetched from and pushed to, and what is pushed is seen by the API', async () => {
  const { project, owner } = await pushedProject()
  const file = await keyOf(owner)
  const { ssh_url_to_repo } = (await owner.get(project.url)).body
  assert.equal(ssh_url_to_repo, addressOf(project))

  const directory = place('clone')
  await gitWith(file, workbench.directory, 'clone', '--quiet', ssh_url_to_repo, directory)
  const pushed = await commit(directory, { 'a.txt': 'a\n' })
  await gitWith(file, directory, 'push', '--quiet', 'origin', 'main', 'HEAD:refs/tags/v1')
  const other = await scene.commit(project, { 'b.txt': 'b\n' })
  await gitWith(file, directory, 'fetch', '--quiet', 'origin')

  assert.equal(await git(directory, 'rev-parse', 'origin/main'), other)
  assert.equal((await owner.get(`${project.url}/repository/tags/v1`)).body.target, pushed)
  await git(directory, 'fsck', '--strict')
  const events = await scene.deps.database.db.selectFrom('events').selectAll().where('project_id', '=', project.id).execute()
  assert.ok(events.length >= 3)
  assert.ok(events.every(({ actor_id }) => actor_id !== null))
  assert.ok((await scene.deps.database.db.selectFrom('keys').selectAll().where('user_id', '=', owner.id).executeTakeFirst())?.last_used_at)
})

test('an empty project is pushed to, and both versions of the protocol are spoken', async () => {
  const { project, owner } = await scene.project()
  const file = await keyOf(owner)
  const directory = place('repository')
  await git(workbench.directory, 'init', '--quiet', directory)
  const first = await commit(directory, { a: '1' })

  await gitWith(file, directory, 'push', '--quiet', '-o', 'ci.skip', addressOf(project), 'main')

  assert.equal(await tipOf(project), first)
  for (const version of [0, 1, 2])
    assert.match(await gitWith(file, directory, '-c', `protocol.version=${version}`, 'ls-remote', addressOf(project)), new RegExp(first))
  const trace = await workbench.attempt('git', ['ls-remote', addressOf(project)], {
    env: { GIT_SSH_COMMAND: `ssh ${options(file).join(' ')}`, GIT_TRACE_PACKET: '1' },
  })
  assert.match(trace.stderr, /< version 2/)
  assert.equal((await attempt(file, directory, 'push', addressOf(project), 'main')).code, 0)
})

test('RSA and ECDSA keys open projects too', async () => {
  const { project, owner } = await pushedProject()
  for (const type of ['rsa', 'ecdsa']) await cloneWith(await keyOf(owner, type), project)
})

test('an archive is made on the server', async () => {
  const { project, owner } = await pushedProject()
  const { bytes, code, stderr } = await attempt(
    await keyOf(owner),
    workbench.directory,
    'archive',
    `--remote=${addressOf(project)}`,
    'main',
  )
  assert.equal(code, 0, stderr)
  assert.ok(bytes.includes('README.md'))
})

test('rules of pushes hold as over HTTP: protected branches and tags, rewriting, reserved names', async () => {
  const { project, developer, owner } = await pushedProject({ members: ['developer'] })
  await owner.post(`${project.url}/protected_tags`, { name: 'v*' })
  const file = await keyOf(developer)
  const directory = await cloneWith(file, project)
  const tip = await git(directory, 'rev-parse', 'main')
  await commit(directory, { a: '1' })

  for (const [ref, line] of [
    ['main', /not allowed to push code to protected branches/],
    ['refs/tags/v1', /not allowed to create this tag/],
    ['refs/merge-requests/1/head', /reserved/],
  ] as const) {
    const { code, stderr } = await attempt(file, directory, 'push', 'origin', `HEAD:${ref}`)
    assert.equal(code, 1)
    assert.match(stderr, line)
  }
  assert.equal(await tipOf(project), tip)
  await gitWith(file, directory, 'push', '--quiet', 'origin', 'HEAD:topic')
})

test('a push without the right, or to an archived project, is refused with the reason; nothing moves', async () => {
  const { project, reporter, owner } = await pushedProject({ members: ['reporter'] })
  const [reading, owning] = [await keyOf(reporter), await keyOf(owner)]
  const directory = await cloneWith(reading, project)
  await commit(directory, { a: '1' })

  const refused = await attempt(reading, directory, 'push', 'origin', 'HEAD:topic')
  await owner.post(`${project.url}/archive`)
  const archived = await attempt(owning, directory, 'push', 'origin', 'HEAD:topic')

  assert.equal(refused.code, 128)
  assert.match(refused.stderr, /ERROR: You are not allowed to push code to this project\./)
  assert.match(archived.stderr, /ERROR: The project is archived/)
  assert.equal(await tipOf(project, 'topic'), undefined)
})

test('a project that one may not see is not found, in the words for one that is not there', async () => {
  const { project } = await pushedProject()
  const stranger = await keyOf(await scene.user())
  for (const path of [project, { full_path: 'nobody/nothing' }, { full_path: String(project.id) }]) {
    const { code, stderr } = await attempt(stranger, workbench.directory, 'ls-remote', addressOf(path))
    assert.equal(code, 128)
    assert.match(stderr, /ERROR: The project you were looking for could not be found/)
  }
})

test('an unknown key, another name than git, and a password are refused', async () => {
  const { project, owner } = await pushedProject()
  const { file } = await newPair()
  const known = await keyOf(owner)

  assert.match((await attempt(file, workbench.directory, 'ls-remote', addressOf(project))).stderr, /Permission denied \(publickey\)/)
  const asRoot = await workbench.attempt('ssh', [...options(known), '-p', `${server.port}`, 'root@127.0.0.1'])
  assert.equal(asRoot.code, 255)
  assert.match(asRoot.stderr, /Permission denied \(publickey\)/)
})

test('a key that has ended or was deleted opens nothing, and a blocked user sees the reason', async () => {
  const { project, owner } = await pushedProject()
  const { file, key } = await newPair()
  const { id } = (await owner.post('/user/keys', { title: 'x', key, expires_at: '2020-01-01T00:00:00Z' })).body
  const denied = async () => (await attempt(file, workbench.directory, 'ls-remote', addressOf(project))).stderr

  assert.match(await denied(), /Permission denied/)
  await owner.delete(`/user/keys/${id}`)
  const again = (await owner.post('/user/keys', { title: 'x', key })).body.id
  assert.equal(await denied(), '')
  await scene.root.post(`/users/${owner.id}/block`)
  assert.match(await denied(), /ERROR: Your account has been blocked\./)
  await scene.root.post(`/users/${owner.id}/unblock`)
  await owner.delete(`/user/keys/${again}`)
  assert.match(await denied(), /Permission denied/)
})

test('a deploy key reads its projects, pushes where it may, and what it pushes counts as its creator’s', async () => {
  const { project, owner } = await pushedProject()
  const { project: other } = await pushedProject({ owner })
  const { file, key } = await newPair()
  const { id } = (await owner.post(`${project.url}/deploy_keys`, { title: 'Machine', key })).body
  const directory = await cloneWith(file, project)
  await commit(directory, { a: '1' })

  assert.match((await attempt(file, directory, 'push', 'origin', 'HEAD:topic')).stderr, /not allowed to push code to this project/)
  assert.match((await attempt(file, directory, 'ls-remote', addressOf(other))).stderr, /could not be found/)
  await owner.put(`${project.url}/deploy_keys/${id}`, { can_push: true })
  await gitWith(file, directory, 'push', '--quiet', 'origin', 'HEAD:topic')
  assert.match((await attempt(file, directory, 'push', 'origin', 'HEAD:main')).stderr, /protected branches/)
  await gitWith(file, directory, 'push', '--quiet', 'origin', ':topic')
  const entries = (await scene.root.get('/audit_events', { entity_type: 'Project', entity_id: project.id, event_name: 'reference.moved' }))
    .body
  assert.deepEqual(
    [entries[0].author_id, entries[0].details.ip_address, entries[0].details.credential],
    [owner.id, '127.0.0.1', 'deploy_key'],
  )
  const event = await scene.deps.database.db
    .selectFrom('events')
    .selectAll()
    .where('project_id', '=', project.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(event.actor_id, owner.id)
  await owner.delete(`${project.url}/deploy_keys/${id}`)
  assert.match((await attempt(file, directory, 'fetch', 'origin')).stderr, /Permission denied/)
})

test('a shell is greeted and ended with 0; other commands and forwarding are refused', async () => {
  const person = await scene.user()
  const file = await keyOf(person)
  const ssh = (...args: string[]) => workbench.attempt('ssh', [...options(file), '-p', `${server.port}`, 'git@127.0.0.1', ...args])

  const shell = await ssh()
  assert.deepEqual([shell.code, shell.stdout], [0, `Welcome to Ingot, @${person.username}!\n`])
  for (const line of ['ls -l', 'git-shell', "git-upload-pack 'a/b'; id", 'scp -t /tmp']) {
    const { code, stdout, stderr } = await ssh(line)
    assert.deepEqual([code, stdout, stderr], [1, '', 'ERROR: Unknown command: only git can be used here.\n'], line)
  }
  assert.equal((await ssh('-s', 'sftp')).code, 255)
})

test('of two concurrent pushes to one branch one wins, and the other is refused with the reason', async () => {
  const { project, owner } = await pushedProject()
  const file = await keyOf(owner)
  const checkouts = await Promise.all([cloneWith(file, project), cloneWith(file, project)])
  const tips = await Promise.all(checkouts.map((directory, index) => commit(directory, { [`file-${index}`]: 'x' })))

  const pushes = await Promise.all(checkouts.map(directory => attempt(file, directory, 'push', '--quiet', 'origin', 'main')))

  assert.deepEqual(pushes.map(({ code }) => code).sort(), [0, 1])
  assert.equal(await tipOf(project), tips[pushes.findIndex(({ code }) => code === 0)])
})

/** A project with so much in it that a clone cannot be over before one looks. */
async function bigProject() {
  const world = await pushedProject()
  // No compression makes it smaller.
  await commit(world.directory, { 'noise.bin': randomBytes(12 * 1024 * 1024) })
  await git(world.directory, 'push', '--quiet', 'origin', 'main')
  return world
}

test('much is cloned and pushed whole', async () => {
  const { project, owner, directory } = await bigProject()
  const file = await keyOf(owner)
  const copy = await cloneWith(file, project)
  assert.equal(await git(copy, 'rev-parse', 'HEAD'), await git(directory, 'rev-parse', 'HEAD'))
  const { project: target } = await scene.project({ owner })
  await gitWith(file, copy, 'push', '--quiet', addressOf(target), 'main')
  assert.equal(await tipOf(target), await git(copy, 'rev-parse', 'HEAD'))
})

/** Starts to fetch and does not read what comes. */
async function stalledFetch(file: string, port: number, project: SceneProject) {
  const child = spawn('ssh', [...options(file), '-p', `${port}`, 'git@127.0.0.1', `git-upload-pack '${project.full_path}'`], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const tip = await tipOf(project)
  const [head] = await once(child.stdout, 'data')
  assert.match(String(head), new RegExp(tip))
  const line = `want ${tip} ofs-delta\n`
  child.stdin.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}00000009done\n`)
  await once(child.stdout, 'data')
  child.stdout.pause()
  return { child, ended: once(child, 'close') }
}

test('a server that is stopped ends clones under way, and its git with them', async () => {
  const { project, owner } = await bigProject()
  const file = await keyOf(owner)
  const second = await startSshServer(scene.deps, { hostKey, host: '127.0.0.1', url: scene.url, port: 0 })
  const { child, ended } = await stalledFetch(file, second.port, project)

  await second.stop(50)

  child.stdout.resume()
  await ended
  assert.notEqual(child.exitCode, 0)
  await assert.rejects(once(connect(second.port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
})

test('a client that goes away in the middle of a clone leaves nothing running', async () => {
  const { project, owner } = await bigProject()
  const file = await keyOf(owner)
  const second = await startSshServer(scene.deps, { hostKey, host: '127.0.0.1', url: scene.url, port: 0 })
  const { child, ended } = await stalledFetch(file, second.port, project)

  child.kill('SIGKILL')
  await ended

  // Nothing is under way any more: there is nothing to wait for.
  await second.stop(60_000)
})

test('one who says nothing, or proves no key, is not waited for', async () => {
  const second = await startSshServer(scene.deps, { hostKey, host: '127.0.0.1', url: scene.url, port: 0, grace: 50 })
  const silent = connect(second.port, '127.0.0.1')
  silent.resume()
  await once(silent, 'close')
  await second.stop(0)
})

test('ten keys may be offered on one connection, no more', async () => {
  const person = await scene.user()
  const strangers = await Promise.all(Array.from({ length: 10 }, () => newPair()))
  const known = await keyOf(person)
  const offer = (files: string[]) =>
    workbench.attempt('ssh', [
      ...options(files[0] as string),
      ...files.slice(1).flatMap(file => ['-i', file]),
      ...['-p', `${server.port}`, 'git@127.0.0.1'],
    ])
  const files = strangers.map(({ file }) => file)

  assert.equal((await offer([...files.slice(0, 8), known])).code, 0)
  assert.equal((await offer([...files, known])).code, 255)
})

test('the key of the server is kept, private, and the same for the next one', async () => {
  const file = places(scene.deps.config).sshHostKey
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const scan = async (port: number) =>
    (await workbench.run('ssh-keyscan', ['-t', 'ed25519', '-p', `${port}`, '127.0.0.1'])).split(' ').slice(1).join(' ')
  const second = await startSshServer(scene.deps, {
    hostKey: await loadSshHostKey(scene.deps.config),
    host: '127.0.0.1',
    url: scene.url,
    port: 0,
  })
  assert.equal(await scan(second.port), await scan(server.port))
  await second.stop(0)
})
