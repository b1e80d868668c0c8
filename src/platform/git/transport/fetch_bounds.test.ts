/** What a fetch may ask for: filters and names that cost no more than the answer. */
import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { importCommits, openScene } from '../scene.ts'
import { pktLine } from './pkt-line.ts'
import { client, serve } from './smart-server.ts'
import { uploadPack } from './upload-pack.ts'

test('a fetch with a filter of filters, or of patterns, is refused: each object would cost as often', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const head = importCommits(repository, 'main', [{ files: { f: '/f\n' } }])
  await using server = await serve(repository)
  for (const filter of [`combine:${Array(1_000).fill('blob:none').join('+')}`, 'combine:blob:none+tree:1', `sparse:oid=${head}:f`]) {
    const lines = ['command=fetch\n', null, `filter ${filter}\n`, `want ${head}\n`, 'done\n']
    const body = Buffer.concat([...lines.map(line => (line === null ? Buffer.from('0001') : pktLine(line))), Buffer.from('0000')])
    const answer = await fetch(`${server.url}/git-upload-pack`, { method: 'POST', body, headers: { 'git-protocol': 'version=2' } })
    assert.match(await answer.text(), /ERR filter '(combine|sparse:oid)' not supported/)
  }
  for (const filter of ['blob:limit=1k', 'tree:0', 'object:type=commit'])
    assert.equal(
      (await client(scene.directory, ['clone', '-q', `--filter=${filter}`, '--no-checkout', server.url, filter])).code,
      0,
      filter,
    )
})

test('a fetch that names objects without an end is ended', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const head = importCommits(repository, 'main', [{ files: { f: 'f' } }])
  const haves = Buffer.concat(Array(1_000).fill(pktLine(`have ${head}\n`)))
  async function* endless() {
    yield Buffer.concat([pktLine(`want ${head}\n`), Buffer.from('0000')])
    for (;;) yield haves
  }
  const response = new PassThrough()
  response.resume()
  const fetched = uploadPack(repository, { request: Readable.from(endless(), { objectMode: false }), response, stateless: true })
  await assert.rejects(fetched, { kind: 'invalid', message: 'The request names too many objects' })
})
