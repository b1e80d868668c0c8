import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { gitProcesses } from '../../../platform/git/index.ts'

const scene = await openScene()

/** Begins a download and reads nothing of the answer. */
async function beginDownload(url: string, headers: Record<string, string>): Promise<{ asked: ClientRequest; answer: IncomingMessage }> {
  const asked = request(url, { headers, agent: false }).end()
  const [answer] = await once(asked, 'response')
  return { asked, answer }
}

test('a cached archive is sent without git, whole, in part, or as 304', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  const url = `${project.url}/repository/archive.zip`
  const first = await owner.get(url)
  const before = gitProcesses.started

  const again = await owner.get(url)
  const part = await owner.get(url, {}, { range: 'bytes=0-1' })
  const current = await owner.get(url, {}, { 'if-none-match': first.headers.etag as string })

  assert.equal(gitProcesses.started, before)
  assert.deepEqual([first.status, again.status, part.status, current.status], [200, 200, 206, 304])
  assert.ok(again.bytes.equals(first.bytes) && again.headers.etag === first.headers.etag)
  assert.equal(again.headers['content-length'], String(first.bytes.length))
  assert.equal(again.headers['content-disposition'], first.headers['content-disposition'])
  assert.equal(part.bytes.toString(), 'PK')
})

test('a cached archive is not sent to users who may not read the project', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const url = `${project.url}/repository/archive`
  assert.equal((await owner.get(url)).status, 200)

  const outsider = await scene.user()

  assert.equal((await outsider.get(url)).status, 404)
  assert.equal((await scene.anonymous.get(url)).status, 404)
  assert.equal((await guest.get(url)).status, 403)
})

test('a new commit has a new archive', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  const first = await owner.get(`${project.url}/repository/archive.tar`)
  await scene.commit(project, { 'b.txt': 'b\n' })

  const second = await owner.get(`${project.url}/repository/archive.tar`)

  assert.notEqual(second.headers.etag, first.headers.etag)
  assert.ok(second.bytes.includes('b.txt') && !first.bytes.includes('b.txt'))
})

test('slow downloads of archives that are not kept take no slots of heavy work', async () => {
  const slow = await openScene({ settings: { archiveCache: '0' } })
  const { project, owner } = await slow.project()
  const content = 'x'.repeat(1024 * 1024)
  const names = Array.from({ length: 90 }, (_, at) => `${at}.bin`)
  const sha = await slow.commit(project, Object.fromEntries(names.map(name => [name, content])))
  const url = `${project.url}/repository/archive.tar`
  const headers = { 'private-token': owner.token }
  const begin = (ref: string) => beginDownload(`${slow.url}/api/v4${url}?sha=${ref}`, headers)

  const begun = await Promise.all(['main', 'HEAD', sha, 'refs/heads/main'].map(begin))
  const [first] = begun
  assert.ok(first)
  const other = await owner.get(`${url}?path=0.bin`)

  assert.deepEqual([...begun.map(({ answer }) => answer.statusCode), other.status], [200, 200, 200, 200, 200])
  // One goes on: its bytes were not lost meanwhile.
  let bytes = 0
  for await (const piece of first.answer) bytes += piece.length
  assert.ok(bytes > 90 * content.length)
  for (const { asked } of begun.slice(1)) asked.destroy()
})
