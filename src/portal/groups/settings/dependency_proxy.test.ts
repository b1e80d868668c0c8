/** The dependency proxy in the settings of a group. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { keepBlob, keepManifest } from '../../../delivery/container_registry/proxy/cache.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('the page shows what names of images begin with and what is kept, and removes it', async () => {
  const owner = await surfer()
  const { group } = await scene.group({ owner: owner.person })
  const { deps } = scene
  const manifest = { digest: 'sha256:1', media_type: 'application/vnd.oci.image.manifest.v1+json', payload: Buffer.from('{}') }
  await keepManifest(deps, group.id, { image: 'library/alpine', reference: 'latest' }, manifest)
  await keepBlob(deps, group.id, 'sha256:2', await deps.objects.put(Readable.from([Buffer.alloc(4_000)])))

  const path = `/groups/${group.full_path}/-/settings/dependency_proxy`
  const { status, body } = await owner.get(path)
  assert.equal(status, 200)
  assert.ok(body.includes(`${new URL(scene.url).host}/${group.full_path}/dependency_proxy/containers/`))
  assert.match(body, /Kept images<\/dt><dd>1<\/dd><dt>Their layers<\/dt><dd>3\.9 KB</)
  const purged = await owner.submit(`${path}/purge`, {})
  assert.equal(purged.status, 303)
  const after = await owner.get(path)
  assert.match(after.body, /Kept images<\/dt><dd>0</)
  assert.ok(!after.body.includes('Remove all kept images'))
})
