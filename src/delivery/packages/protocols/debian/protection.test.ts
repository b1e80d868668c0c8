/** Rules that protect names of Debian packages: a package is installed by its own name, whatever source it says to be of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import { changes, deb, into, upload, withDistribution } from './scene.ts'

const scene = await openScene()

const refused = { status: 403, body: { message: '403 Forbidden - Package protected.' } }

test('a binary package with a protected name is published by the role of its rule alone, of whichever source', async () => {
  const { project, owner, developer } = await withDistribution(scene, { members: ['developer'] })
  const protect = (package_name_pattern: string) =>
    owner.post(`${project.url}/packages/protection/rules`, {
      package_type: 'debian',
      package_name_pattern,
      minimum_access_level_for_push: 'maintainer',
    })
  const ofOther = deb('thing', '9.0', 'Source: other\n')
  const name = 'thing_9.0_amd64.deb'
  const listing = changes('other', '9.0', { [name]: ofOther })
  assert.equal((await upload(developer, project, name, ofOther)).status, 201)
  assert.equal((await protect('thing')).status, 201)
  assert.deepEqual(await upload(developer, project, name, ofOther, into()), refused)
  assert.deepEqual(await upload(developer, project, name, ofOther), refused)
  assert.deepEqual(await upload(developer, project, 'other_9.0_amd64.changes', listing), refused, 'what has come before the rule')
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])

  const ofThing = deb('tool', '1.0', 'Source: thing\n')
  assert.deepEqual(await upload(developer, project, 'tool_1.0_amd64.deb', ofThing, into()), refused)
  assert.equal((await upload(developer, project, 'tool_1.0_amd64.deb', deb('tool', '1.0'), into())).status, 201)
  assert.equal((await upload(owner, project, 'other_9.0_amd64.changes', listing)).status, 201)
})
