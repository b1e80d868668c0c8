/** How many exchanges with git clients are under way at a time. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { eventually } from '../../../test/eventually.ts'
import { basic } from '../../../test/raw_push.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { flushPkt, pktLine } from '../../platform/git/index.ts'

const scene = await openScene({ gitSlots: { perCaller: 2, total: 5, reserved: 1, waiting: 0 } })

/** A project whose pack is longer than what sockets buffer, and the request that fetches all of it. */
async function largeProject() {
  const { project, owner } = await scene.project()
  const sha = await scene.commit(project, { 'noise.txt': randomBytes(12 * 1024 * 1024).toString('base64') })
  let clients = 0
  /** Each client has a name of its own: what several ask for alike is answered by one git. */
  const wants = () =>
    Buffer.concat([pktLine(`want ${sha} side-band-64k ofs-delta agent=client/${++clients}\n`), flushPkt, pktLine('done\n')])
  return { project, owner, wants }
}

const pathOf = (project: SceneProject) => `/${project.full_path}.git`

/** Begins a fetch and reads nothing of the answer. */
function slowFetch(project: SceneProject, person: Person, ask: () => Buffer): Socket {
  const wants = ask()
  const { hostname, port } = new URL(scene.url)
  const socket = connect({ host: hostname, port: Number(port) }).pause()
  socket.on('error', () => {})
  socket.write(
    `POST ${pathOf(project)}/git-upload-pack HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${basic(person).authorization}\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: ${wants.length}\r\n\r\n`,
  )
  socket.write(wants)
  atEnd(async () => void socket.destroy())
  return socket
}

const advertisement = (project: SceneProject, authorization: string) =>
  fetch(`${scene.url}${pathOf(project)}/info/refs?service=git-upload-pack`, { headers: { authorization } })

/** The processes that pack objects of this repository. */
async function packers(project: SceneProject): Promise<string[]> {
  const { path } = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const all = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const isPacker = async (pid: string) => {
    const [command, directory] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ])
    return command.includes('pack-objects') && directory === path
  }
  const are = await Promise.all(all.map(isPacker))
  return all.filter((_, index) => are[index])
}

test('a caller fetches so often at a time, with all credentials that they made, and others still can', async () => {
  const { project, owner, wants } = await largeProject()
  const stranger = await scene.user()
  await scene.root.post(`/projects/${project.id}/members`, { user_id: stranger.id, access_level: 20 })
  const { body: bot } = await owner.post(`${project.url}/access_tokens`, { name: 'robot', scopes: ['read_repository'], access_level: 30 })
  const { body: machine } = await owner.post(`${project.url}/deploy_tokens`, { name: 'machine', scopes: ['read_repository'] })
  const ofMachine = `Basic ${Buffer.from(`${machine.username}:${machine.token}`).toString('base64')}`
  const sockets = [slowFetch(project, owner, wants), slowFetch(project, owner, wants)]
  await eventually(async () => (await packers(project)).length === 2, 'both fetches to be under way')

  for (const authorization of [basic(owner).authorization, basic(bot).authorization, ofMachine]) {
    const refused = await advertisement(project, authorization)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  }
  assert.equal((await advertisement(project, basic(stranger).authorization)).status, 200)

  for (const socket of sockets) socket.destroy()
  // Their slots are free when git has ended, with all that it started.
  await eventually(async () => (await advertisement(project, basic(owner).authorization)).status === 200, 'a slot')
  await eventually(async () => (await packers(project)).length === 0, 'the processes to end')
})

test('who has nothing under way finds a slot where others took all that they may', async () => {
  const { project, owner, wants } = await largeProject()
  const [first, second] = [await scene.user(), await scene.user()]
  for (const { id } of [first, second]) await scene.root.post(`/projects/${project.id}/members`, { user_id: id, access_level: 20 })
  for (const person of [owner, owner, first, first]) slowFetch(project, person, wants)
  await eventually(async () => (await packers(project)).length === 4, 'the fetches to be under way')

  slowFetch(project, second, wants)
  await eventually(async () => (await packers(project)).length === 5, 'the slot that was kept')
  assert.equal((await advertisement(project, basic(second).authorization)).status, 503)
})
