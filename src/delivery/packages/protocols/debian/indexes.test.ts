/** Long indexes, which are made in pieces. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openScene } from '../../../../../test/scene.ts'
import { at, deb, digest, into, upload, withDistribution } from './scene.ts'

const scene = await openScene()

test('a long index is that of all packages, with the digests that are signed', async () => {
  const { project, owner } = await withDistribution(scene)
  const names = ['one', 'other', 'third']
  for (const name of names) {
    const file = deb(name, '1.0', `Comment: ${name}${'\u00fc'.repeat(50_000)}\n`)
    assert.equal((await upload(owner, project, `${name}_1.0_amd64.deb`, file, into())).status, 201)
  }
  const release = (await at(owner, project, 'Release')).body as string
  const text = (await at(owner, project, 'main/binary-amd64/Packages')).bytes
  const compressed = (await at(owner, project, 'main/binary-amd64/Packages.gz')).bytes
  assert.ok(gunzipSync(compressed).equals(text))
  assert.ok(release.includes(` ${digest('sha256', text)} ${text.length} main/binary-amd64/Packages\n`))
  assert.ok(release.includes(` ${digest('sha256', compressed)} ${compressed.length} main/binary-amd64/Packages.gz\n`))
  const paragraphs = text.toString().split('\n\n')
  assert.deepEqual(
    paragraphs.map(paragraph => /^Package: (.*)/.exec(paragraph)?.[1]),
    names,
  )
})
