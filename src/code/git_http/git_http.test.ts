/** Git over HTTP, at protocol level and with the real client (clients.md 0.14). */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { client, flushPkt, pktLine, zeroId } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'
import { lines } from '../ref_updates/push_rules.ts'

const scene = await openScene()
const directory = await mkdtemp(join(tmpdir(), 'ingot-git-http-'))
after(() => rm(directory, { recursive: true, force: true }))

const basic = (user: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` })

interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** Sends one request like a git client. */
function send(method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Reply> {
  const { hostname, port } = new URL(scene.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('latin1') }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

const knock = (path: string, service: 'git-upload-pack' | 'git-receive-pack', headers: Record<string, string> = {}) =>
  send('GET', `/${path}/info/refs?service=${service}`, headers)

const repositoryOf = (project: SceneProject) => scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })

/** The URL of a project's repository with a user's token in it. */
function addressFor(project: SceneProject, person: Pick<Person, 'token'>, user = 'anybody'): string {
  const url = new URL(`${scene.url}/${project.full_path}.git`)
  url.username = user
  url.password = person.token
  return url.href
}

let made = 0
async function clone(project: SceneProject, person: Person): Promise<string> {
  const work = join(directory, `clone-${++made}`)
  const { code, output } = await client(directory, ['clone', '--quiet', addressFor(project, person), work])
  assert.equal(code, 0, output)
  return work
}

async function commitIn(work: string, name: string): Promise<string> {
  await writeFile(join(work, name), name)
  git(work, ['add', name])
  git(work, ['commit', '--quiet', '-m', name])
  return git(work, ['rev-parse', 'HEAD'])
}

test('anonymous callers are asked for credentials, for private and for unknown projects', async () => {
  const { project, owner } = await scene.project()
  for (const path of [`${project.full_path}.git`, 'no/such.git', 'no/such/thing/at/all.git']) {
    const asked = await knock(path, 'git-upload-pack')
    assert.equal(asked.status, 401, path)
    assert.match(asked.headers['www-authenticate'] ?? '', /^Basic realm="Ingot"/)
    assert.match(asked.headers['content-type'] ?? '', /^text\/plain/)
  }
  const stranger = await scene.user()
  for (const path of [`${project.full_path}.git`, 'no/such.git']) {
    const unknown = await knock(path, 'git-upload-pack', basic('x', stranger.token))
    assert.deepEqual([unknown.status, unknown.text], [404, 'The project does not exist, or you may not see it.\n'])
  }
  assert.equal((await knock(`${project.full_path}.git`, 'git-upload-pack', basic('x', owner.token))).status, 200)
  assert.equal((await send('POST', `/${project.full_path}.git/git-receive-pack`)).status, 401)
})

test('a public project can be fetched by anyone, with and without .git, and pushed to by members', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const inner = await scene.group({ parent: group, owner, visibility: 'public' })
  const { project } = await scene.project({ group: inner.group, visibility: 'public' })
  await scene.commit(project, { a: '1' })
  for (const path of [`${project.full_path}.git`, project.full_path]) {
    const { status, headers, text } = await knock(path, 'git-upload-pack')
    assert.deepEqual([status, headers['content-type']], [200, 'application/x-git-upload-pack-advertisement'])
    assert.match(headers['cache-control'] ?? '', /no-cache/)
    assert.match(text, /^001e# service=git-upload-pack\n0000/)
    assert.equal((await knock(path, 'git-receive-pack')).status, 401)
  }
  const stranger = await scene.user()
  const refused = await knock(`${project.full_path}.git`, 'git-receive-pack', basic('x', stranger.token))
  assert.deepEqual([refused.status, refused.text], [403, 'You are not allowed to push code to this project.\n'])
})

test('a token is valid with any username, and as Bearer; a password with the username or an email address', async () => {
  const { project } = await scene.project()
  const password = 'pä:ß wörd/%@?'
  const person = await scene.user({ password })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
  const path = `${project.full_path}.git`
  const right = [
    basic('oauth2', person.token),
    basic('gitlab-ci-token', person.token),
    basic('', person.token),
    { authorization: `Bearer ${person.token}` },
    basic(person.username, password),
    basic(person.email.toUpperCase(), password),
  ]
  for (const headers of right) assert.equal((await knock(path, 'git-receive-pack', headers)).status, 200, headers.authorization)
  const wrong = [
    basic('n\0body', password),
    basic(person.username, 'wrong'),
    basic('nobody', password),
    { authorization: 'Bearer wrong' },
    basic('oauth2', 'wrong'),
  ]
  for (const headers of wrong) {
    const { status, headers: answer } = await knock(path, 'git-upload-pack', headers)
    assert.deepEqual([status, 'www-authenticate' in answer], [401, true], headers.authorization)
  }
})

test('wrong credentials are a 401 on a public project too (decision 7)', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  assert.equal((await knock(`${project.full_path}.git`, 'git-upload-pack', basic('x', 'wrong'))).status, 401)
})

test('scopes: read_repository fetches, write_repository pushes, api does both, read_api neither', async () => {
  const { project, owner } = await scene.project()
  const path = `${project.full_path}.git`
  const statuses: Record<string, number[]> = {}
  for (const scope of ['api', 'read_api', 'read_user', 'read_repository', 'write_repository'] as const) {
    const headers = basic('x', await scene.token(owner, { scopes: [scope] }))
    const fetched = await send('POST', `/${path}/git-upload-pack`, headers, flushPkt)
    const pushed = await send('POST', `/${path}/git-receive-pack`, headers, flushPkt)
    statuses[scope] = [
      (await knock(path, 'git-upload-pack', headers)).status,
      fetched.status,
      (await knock(path, 'git-receive-pack', headers)).status,
      pushed.status,
    ]
  }
  assert.deepEqual(statuses, {
    api: [200, 200, 200, 200],
    read_api: [403, 403, 403, 403],
    read_user: [403, 403, 403, 403],
    read_repository: [200, 200, 403, 403],
    write_repository: [200, 200, 200, 200],
  })
})

test('blocked users, archived projects and roles below Developer are refused with a line', async () => {
  const { project, owner, reporter, developer } = await scene.project({ members: ['reporter', 'developer'] })
  const path = `${project.full_path}.git`
  const answer = async (person: Person, service: 'git-upload-pack' | 'git-receive-pack') => {
    const { status, text } = await knock(path, service, basic('x', person.token))
    return [status, text.trim()]
  }
  assert.equal((await answer(reporter, 'git-upload-pack'))[0], 200)
  assert.deepEqual(await answer(reporter, 'git-receive-pack'), [403, 'You are not allowed to push code to this project.'])
  await owner.post(`${project.url}/archive`)
  assert.deepEqual(await answer(developer, 'git-receive-pack'), [403, 'The project is archived: nothing can be pushed to it.'])
  await scene.root.post(`/users/${developer.id}/block`)
  const [status, text] = await answer(developer, 'git-upload-pack')
  assert.equal(status, 403)
  assert.match(String(text), /blocked/)
})

test('failed sign-ins with a password are limited, and successful ones do not count', async t => {
  const limited = await openScene({ settings: { rateLimit: 'anonymous=1000,authenticated=1000,sign_in=3' } })
  t.diagnostic(limited.url)
  const { project } = await limited.project({ visibility: 'public' })
  const person = await limited.user({ password: 'correct horse' })
  const knockThere = async (password: string) =>
    (
      await fetch(`${limited.url}/${project.full_path}.git/info/refs?service=git-upload-pack`, {
        headers: basic(person.username, password),
      })
    ).status
  const statuses: number[] = []
  for (const password of [...Array(5).fill('correct horse'), 'wrong', 'wrong', 'wrong', 'correct horse'])
    statuses.push(await knockThere(password))
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 401, 401, 401, 429])
})

test('a compressed request is accepted', async () => {
  const { project, owner } = await scene.project()
  const head = await scene.commit(project, { a: '1' })
  const wants = Buffer.concat([pktLine(`want ${head} no-progress\n`), flushPkt, pktLine('done\n')])
  const headers = { ...basic('x', owner.token), 'content-type': 'application/x-git-upload-pack-request', 'content-encoding': 'gzip' }
  const { status, headers: answer, text } = await send('POST', `/${project.full_path}.git/git-upload-pack`, headers, gzipSync(wants))
  assert.deepEqual([status, answer['content-type']], [200, 'application/x-git-upload-pack-result'])
  assert.match(text, /^0008NAK\nPACK/)
})

test('a request that is not compressed as it says is the fault of its client', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { a: '1' })
  const headers = { ...basic('x', owner.token), 'content-encoding': 'gzip' }
  for (const body of [Buffer.from('no gzip'), gzipSync('0000').subarray(0, 12)]) {
    assert.equal((await send('POST', `/${project.full_path}.git/git-upload-pack`, headers, body)).status, 400)
    assert.match((await send('POST', `/${project.full_path}.git/git-receive-pack`, headers, body)).text, /ERR /)
  }
})

test('clients that go away in the midst of compressed requests keep no place: others are served', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { a: '1' })
  const { hostname, port } = new URL(scene.url)
  const { authorization } = basic('x', owner.token)
  const head = (service: string) =>
    `POST /${project.full_path}.git/${service} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization}\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`
  // More than a caller may have at a time. Some are gone before the server reads what they have sent.
  for (let gone = 0; gone < 25; gone++)
    for (const service of ['git-upload-pack', 'git-receive-pack']) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      await once(socket, 'connect')
      await new Promise(resolve => socket.write(`${head(service)}5\r\n\x1f`, 'latin1', resolve))
      socket.destroy()
    }

  const served = await Promise.all(
    Array.from({ length: 10 }, () => knock(`${project.full_path}.git`, 'git-upload-pack', basic('x', owner.token))),
  )

  assert.deepEqual(
    served.map(({ status }) => status),
    Array(10).fill(200),
  )
})

test('a broken pack changes nothing, and git reports it', async () => {
  const { project, owner } = await scene.project()
  const head = await scene.commit(project, { a: '1' })
  const command = pktLine(`${zeroId} ${'1'.repeat(40)} refs/heads/new\0report-status`)
  const body = Buffer.concat([command, flushPkt, Buffer.from('PACK and then nothing of the kind')])
  const { status, text } = await send('POST', `/${project.full_path}.git/git-receive-pack`, basic('x', owner.token), body)
  assert.equal(status, 200)
  assert.match(text, /unpack (?!ok)/)
  assert.match(text, /ng refs\/heads\/new/)
  assert.equal(git(repositoryOf(project), ['for-each-ref', '--format=%(refname) %(objectname)']), `refs/heads/main ${head}`)
  const intents = await scene.deps.database.db.selectFrom('reference_intents').select('id').where('project_id', '=', project.id).execute()
  assert.deepEqual(intents, [])
})

test('a client that disconnects during its push changes nothing', async () => {
  const { project, owner } = await scene.project()
  const head = await scene.commit(project, { a: '1' })
  const { hostname, port } = new URL(scene.url)
  const headers = { ...basic('x', owner.token), 'content-length': '1000000' }
  const request = httpRequest({ hostname, port, method: 'POST', path: `/${project.full_path}.git/git-receive-pack`, headers, agent: false })
  // The request is destroyed below, which raises an error on it.
  request.on('error', () => {})
  request.write(Buffer.concat([pktLine(`${zeroId} ${'1'.repeat(40)} refs/heads/new\0report-status`), flushPkt, Buffer.from('PACK')]))
  const intents = () => scene.deps.database.db.selectFrom('reference_intents').select('id').where('project_id', '=', project.id).execute()
  await eventually(async () => (await intents()).length === 1, 'an intent')

  request.destroy()

  await eventually(async () => (await intents()).length === 0, 'no intent')
  assert.equal(git(repositoryOf(project), ['for-each-ref', '--format=%(refname) %(objectname)']), `refs/heads/main ${head}`)
})

test('an invalid push is answered with an error line', async () => {
  const { project, owner } = await scene.project()
  const { status, text } = await send('POST', `/${project.full_path}.git/git-receive-pack`, basic('x', owner.token), Buffer.from('hello'))
  assert.equal(status, 200)
  assert.match(text, /ERR /)
})

test('a push is recorded: branches, tags, activity, default branch, README', async () => {
  const { project, owner } = await scene.project()
  const work = await clone(project, owner)
  git(work, ['switch', '--quiet', '-c', 'trunk'])
  const head = await commitIn(work, 'README.md')
  git(work, ['tag', 'v1'])
  scene.setTime('2031-01-01T00:00:00Z')
  const { code, output } = await client(work, ['push', 'origin', 'trunk', 'v1'])
  scene.setTime(undefined)
  assert.equal(code, 0, output)
  const events = await scene.deps.database.db
    .selectFrom('events')
    .select(['payload', 'actor_id'])
    .where('project_id', '=', project.id)
    .where('kind', '=', 'reference.moved')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    events,
    ['refs/heads/trunk', 'refs/tags/v1'].map(ref => ({ payload: { ref, old: zeroId, new: head }, actor_id: owner.id })),
  )
  const { default_branch, empty_repo, last_activity_at, readme_url } = (await owner.get(project.url)).body
  assert.deepEqual([default_branch, empty_repo, last_activity_at], ['trunk', false, '2031-01-01T00:00:00.000Z'])
  assert.match(readme_url, /trunk\/README\.md$/)
})

test('of two concurrent pushes to one branch one succeeds and the other is rejected', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { a: '1' })
  const works = await Promise.all([clone(project, owner), clone(project, owner), clone(project, owner)])
  const heads = await Promise.all(works.map((work, index) => commitIn(work, `file-${index}`)))
  const outcomes = await Promise.all(works.map(work => client(work, ['push', 'origin', 'main'])))
  assert.equal(outcomes.filter(({ code }) => code === 0).length, 1)
  const winner = outcomes.findIndex(({ code }) => code === 0)
  assert.equal(git(repositoryOf(project), ['rev-parse', 'main']), heads[winner])
  for (const { code, output } of outcomes) if (code !== 0) assert.match(output, /rejected/)
})

test('protected branches, default branches and reserved names are refused, each with its own line', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { a: '1' })
  const work = await clone(project, developer)
  await commitIn(work, 'b')
  const refusals: [args: string[], line: string][] = [
    [['main'], lines.pushProtected],
    [[':main'], lines.deleteDefault],
    [['HEAD:refs/merge-requests/1/head'], lines.reserved],
    [['HEAD:refs/keep-around/x'], lines.reserved],
    [[`HEAD:refs/heads/${'a'.repeat(40)}`], lines.invalidBranch],
  ]
  for (const [args, line] of refusals) {
    const { code, output } = await client(work, ['push', 'origin', ...args])
    assert.notEqual(code, 0)
    assert.ok(output.includes(`(${line})`), `${args}: ${output}`)
    assert.match(output, /! \[remote rejected\]/)
  }
  const asOwner = await clone(project, owner)
  git(asOwner, ['commit', '--quiet', '--amend', '--allow-empty', '-m', 'other'])
  const forced = await client(asOwner, ['push', '--force', 'origin', 'main'])
  assert.ok(forced.output.includes(`(${lines.forceProtected})`), forced.output)
})

test('a developer cannot create the first, protected branch of an empty project', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const work = await clone(project, developer)
  git(work, ['switch', '--quiet', '-c', 'main'])
  await commitIn(work, 'a')
  const { output } = await client(work, ['push', 'origin', 'main'])
  assert.ok(output.includes(`(${lines.pushProtected})`), output)
  const asOwner = await client(work, ['push', addressFor(project, owner), 'main'])
  assert.equal(asOwner.code, 0, asOwner.output)
})

test('a long push or clone is not ended by the server’s timeouts', () => {
  assert.equal(scene.app.server.requestTimeout, 0)
  assert.equal(scene.app.server.timeout, 0)
})

test('other URLs of a repository, and other methods, are refused as usual', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const headers = basic('x', owner.token)
  assert.equal((await send('GET', `/${project.full_path}.git/HEAD`, headers)).status, 404)
  assert.equal((await send('GET', `/${project.full_path}.git/git-upload-pack`, headers)).status, 405)
  assert.equal((await send('GET', `/${project.full_path}.git/info/refs`, headers)).status, 400)
  assert.equal((await send('GET', `/${project.full_path}.git/info/refs?service=git-upload-archive`, headers)).status, 400)
  assert.equal((await send('GET', `/${project.id}/info/refs?service=git-upload-pack`, headers)).status, 404)
})
