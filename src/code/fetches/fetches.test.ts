/** Numbers of fetches (public project statistics API at 14.0), with a real git. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { openCheckouts } from '../../../test/clients/checkouts.ts'
import { openWorkbench } from '../../../test/clients/workbench.ts'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { countFetch, sweepFetches } from './counts.ts'
import { PackWatch } from './pack_watch.ts'

const scene = await openScene()
const { addressFor, clone, commit, git, pushedProject } = await openCheckouts(scene, await openWorkbench())

const asked = async (person: Person, project: SceneProject) => (await person.get(`${project.url}/statistics`)).body.fetches

test('a clone and a fetch that brings something are counted once, by each version of the protocol', async () => {
  const { project, owner, directory } = await pushedProject()
  assert.deepEqual(await owner.get(`${project.url}/statistics`), { status: 200, body: { fetches: { total: 0, days: [] } } })

  for (const version of ['0', '2']) await clone(addressFor(project, owner), '--config', `protocol.version=${version}`)
  const checkout = await clone(addressFor(project, owner))
  await git(checkout, 'fetch')
  await eventually(async () => (await asked(owner, project)).total >= 3, 'three clones')
  await commit(directory, { 'more.txt': 'more' })
  await git(directory, 'push', '--quiet')
  await git(checkout, 'pull', '--quiet')

  await eventually(async () => (await asked(owner, project)).total > 3, 'the fetch')
  const { total, days } = await asked(owner, project)
  // Midnight may have passed.
  const counted = days.map(({ count }: { count: number }) => count).reduce((sum: number, count: number) => sum + count)
  assert.deepEqual([total, counted], [4, 4])
})

test('days without a fetch are left out, and the last 30 days alone are counted', async () => {
  const { project, owner } = await scene.project()
  const at = async (daysAgo: number, times: number) => {
    scene.setTime(new Date(Date.now() - daysAgo * 24 * 60 * 60_000).toISOString())
    for (let n = 0; n < times; n++) await countFetch(scene.deps, project.id)
    scene.setTime(undefined)
  }
  const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60_000).toISOString().slice(0, 10)
  await at(30, 5)
  await at(29, 2)
  await at(1, 3)

  const found = {
    total: 5,
    days: [
      { count: 3, date: day(1) },
      { count: 2, date: day(29) },
    ],
  }
  assert.deepEqual(await asked(owner, project), found)
  await sweepFetches(scene.deps)
  assert.deepEqual(await asked(owner, project), found)
  const rows = await scene.deps.database.db.selectFrom('project_fetches').select('count').where('project_id', '=', project.id).execute()
  assert.equal(rows.length, 2, 'the older day is gone')
})

test('they are for those who may write, and a project that was deleted meanwhile has none', async () => {
  const { project, reporter, developer } = await scene.project({ visibility: 'public', members: ['reporter', 'developer'] })
  const { project: hidden } = await scene.project()
  const url = `${project.url}/statistics`

  assert.equal((await developer.get(url)).status, 200)
  assert.equal((await reporter.get(url)).status, 403)
  assert.equal((await scene.anonymous.get(url)).status, 401)
  assert.equal((await developer.get(`${hidden.url}/statistics`)).status, 404)
  await countFetch(scene.deps, 999_999_999)
})

test('the beginning of a pack is found in whatever pieces it comes', async () => {
  const pack = Buffer.from('0008NAK\n0030\u0001PACK\0\0\0\u0002\0\0\0\u0003', 'latin1')
  const watchOver = async (pieces: readonly Buffer[]) => {
    const watch = new PackWatch()
    const passed = await buffer(Readable.from(pieces).pipe(watch))
    assert.deepEqual(passed, Buffer.concat(pieces))
    return watch.hasPack
  }

  for (let size = 1; size <= pack.length; size++) {
    const pieces = Array.from({ length: Math.ceil(pack.length / size) }, (_, n) => pack.subarray(n * size, (n + 1) * size))
    assert.equal(await watchOver(pieces), true, `pieces of ${size}`)
  }
  assert.equal(await watchOver([Buffer.from('0008NAK\n'), Buffer.from('PACK'), Buffer.from('0002')]), false)
})
