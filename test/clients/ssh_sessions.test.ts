/** Commands over SSH that a client keeps open while what they were begun with changes: the path of a repository, an account, a role. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import ssh2, { type Client, type ClientChannel } from 'ssh2'
import { flushPkt, pktLine, zeroId } from '../../src/platform/git/index.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { emptyPack } from '../raw_push.ts'
import type { Person } from '../scene.ts'
import { openSsh } from './ssh_scene.ts'

const { scene, server, keyOf, pushedProject } = await openSsh()

async function connectionOf(person: Person): Promise<Client> {
  const client = new ssh2.Client()
  client.on('error', () => {})
  client.connect({ host: '127.0.0.1', port: server.port, username: 'git', privateKey: await readFile(await keyOf(person)) })
  await once(client, 'ready')
  atEnd(async () => void client.destroy())
  return client
}

/** A command that stays open, and what came of it so far. */
interface Open {
  readonly channel: ClientChannel
  /** Both outputs since the last call, once they match. */
  readonly next: (expected: RegExp) => Promise<string>
}

function open(client: Client, line: string, env: Record<string, string> = {}): Promise<Open> {
  return new Promise((resolve, reject) =>
    client.exec(line, { env }, (error, channel) => {
      if (error) return reject(error)
      let text = ''
      for (const stream of [channel, channel.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
      const next = async (expected: RegExp) => {
        await eventually(async () => expected.test(text), `${expected}`)
        const found = text
        text = ''
        return found
      }
      resolve({ channel, next })
    }),
  )
}

/** Opens a push to a wiki, and sends its commands after `meanwhile`. Answers the report. */
async function pushLate(person: Person, path: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const { channel, next } = await open(await connectionOf(person), `git-receive-pack '${path}.wiki.git'`)
  const [, tip] = /^.{4}([0-9a-f]{40}) /.exec(await next(/0000$/)) ?? []
  await meanwhile()
  channel.end(Buffer.concat([pktLine(`${zeroId} ${tip} refs/heads/late\0report-status`), flushPkt, emptyPack]))
  return next(/refs\/heads\/late[\s\S]*0000$/)
}

const page = { title: 'home', content: 'Original' }

test('a push to a wiki is judged for the wiki that it began with, whatever has its path when the commands come', async () => {
  const { group, developer, owner } = await scene.group({ members: ['developer'] })
  const { group: other } = await scene.group({ owner })
  const { project } = await scene.project({ owner, group })
  await owner.post(`${project.url}/wikis`, page)
  const report = await pushLate(developer, project.full_path, async () => {
    assert.equal((await owner.put(`${project.url}/transfer`, { namespace: other.id })).status, 200)
    const again = await developer.post('/projects', { name: project.path, path: project.path, namespace_id: group.id })
    assert.equal(again.status, 201)
  })
  assert.match(report, /ng refs\/heads\/late 404 Wiki Not Found/)

  const { group: third, maintainer, owner: head } = await scene.group({ members: ['maintainer'] })
  await head.post(`${third.url}/wikis`, page)
  const reportOfGroup = await pushLate(maintainer, third.full_path, async () => {
    assert.equal((await head.delete(`${third.url}/members/${maintainer.id}`)).status, 204)
    assert.equal((await head.put(third.url, { path: `${third.path}-moved` })).status, 200)
    assert.equal((await maintainer.post('/groups', { name: third.path, path: third.path })).status, 201)
  })
  assert.match(reportOfGroup, /ng refs\/heads\/late 404 Wiki Not Found/)
})

test('a push to a wiki goes on where the path changes alone', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/wikis`, page)
  const report = await pushLate(owner, project.full_path, async () => {
    assert.equal((await owner.put(project.url, { path: `${project.path}-moved` })).status, 200)
    assert.equal((await owner.post('/projects', { name: project.path, path: project.path })).status, 201)
  })
  assert.match(report, /ok refs\/heads\/late/)

  const { project: archived, owner: keeper } = await scene.project()
  await keeper.post(`${archived.url}/wikis`, page)
  const refused = await pushLate(keeper, archived.full_path, () => keeper.post(`${archived.url}/archive`))
  assert.match(refused, /ng refs\/heads\/late The project is archived/)
})

const references = Buffer.concat([pktLine('command=ls-refs\n'), Buffer.from('0001'), pktLine('ref-prefix refs/heads/\n'), flushPkt])

/** A fetch by version 2 of the protocol, which takes any number of requests; each call asks for the branches. */
async function fetchOf(person: Person, path: string) {
  const { channel, next } = await open(await connectionOf(person), `git-upload-pack '${path}.git'`, { GIT_PROTOCOL: 'version=2' })
  await next(/version 2[\s\S]*0000$/)
  return async () => {
    channel.write(references)
    return next(/0000$|ERROR.*\n/)
  }
}

test('a fetch that stays open ends with the account, the key, the membership and the project', async () => {
  const { project, owner, ...people } = await pushedProject({ members: ['developer', 'reporter', 'maintainer'] })
  const { developer, reporter, maintainer } = people
  await owner.post(`${project.url}/wikis`, page)
  const removed = await scene.user()
  await owner.post(`${project.url}/members`, { user_id: removed.id, access_level: 20 })
  const ends: [person: Person, path: string, loss: () => Promise<unknown>, expected: RegExp][] = [
    [developer, project.full_path, () => scene.root.post(`/users/${developer.id}/block`), /^ERROR: Your account has been blocked\./],
    [
      reporter,
      project.full_path,
      async () => reporter.delete(`/user/keys/${(await reporter.get('/user/keys')).body[0].id}`),
      /^ERROR: Your credentials are not valid any more\./,
    ],
    [removed, project.full_path, () => owner.delete(`${project.url}/members/${removed.id}`), /^ERROR: .* could not be found/],
    [
      maintainer,
      `${project.full_path}.wiki`,
      () => owner.delete(`${project.url}/members/${maintainer.id}`),
      /^ERROR: .* could not be found/,
    ],
  ]
  for (const [person, path, loss, expected] of ends) {
    const branches = await fetchOf(person, path)
    assert.match(await branches(), /refs\/heads\/main/)
    assert.match(await branches(), /refs\/heads\/main/)
    await loss()
    assert.match(await branches(), expected)
  }
  const branches = await fetchOf(owner, project.full_path)
  await branches()
  await owner.put(project.url, { path: `${project.path}-moved` })
  assert.match(await branches(), /refs\/heads\/main/, 'it is found by its id')
})
