/** A world in which everything is, whole at first; then each kind of damage is made, found, and mended where that loses nothing. */
import assert from 'node:assert/strict'
import { readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { sql } from 'kysely'
import { copyOfWorld } from '../../../test/derived/made_once.ts'
import { places } from '../../platform/config.ts'
import { lockForBackup } from '../../platform/db/migrating/backup_lock.ts'
import { mergeRequestRef, readRefs } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { ObjectStoreUnavailable } from '../../platform/object_store/store.ts'
import type { Finding } from '../doctor/finding.ts'
import { type CheckOptions, checkInstance } from './check.ts'

const { scene, people, places: worldPlaces } = await copyOfWorld()
const { deps } = scene
const { db } = deps.database
const { project } = worldPlaces.private

/** What is not as it should be: `check: outcome, what`. */
async function found(options: Partial<CheckOptions> = {}): Promise<string[]> {
  const lines: string[] = []
  for await (const { check, outcome, says } of checkInstance(deps, { mend: false, digests: false, ...options }))
    if (outcome !== 'ok') lines.push(`${check}: ${outcome}, ${says.replace(/^\d+ of \d+: /, '')}`)
  return lines
}

/** Asserts that a damage is found, is mended, and then is no more. */
async function assertMended(check: string, what: RegExp): Promise<void> {
  const [line, ...more] = await found()
  assert.deepEqual(more, [])
  assert.match(line!, what)
  assert.ok(line!.startsWith(`${check}: wrong, `), line)
  assert.deepEqual(
    (await found({ mend: true })).map(text => text.replace(/, .*/, '')),
    [`${check}: mended`],
  )
  assert.deepEqual(await found(), [])
}

/** Long ago, in seconds: older than what may still be on its way. */
const LONG_AGO = 1_000_000_000

const stored = async (text: string) => {
  const object = await deps.objects.put(Readable.from([Buffer.from(text)]))
  await recordObject(db, object)
  return { ...object, file: join(places(deps.config).objects, object.key) }
}

test('a world that was made by the commands is whole, and every part of it was looked at', async () => {
  const findings: Finding[] = []
  for await (const finding of checkInstance(deps, { mend: true, digests: true })) findings.push(finding)

  // Some rows of this world are inserted as they are: merge requests and pipelines with iids of their own, artifacts of jobs.
  const wrong = findings.filter(({ outcome }) => outcome !== 'ok')
  assert.deepEqual(
    wrong.map(({ check, outcome }) => [check, outcome]),
    [
      ['Next ids', 'mended'],
      ['Counters', 'mended'],
    ],
  )
  for (const part of wrong[0]!.says.replace(/^.*?: /, '').split('; ')) assert.match(part, /has (merge_request|pipeline) 9\d{3}, and/)
  for (const part of wrong[1]!.says.replace(/^.*?: /, '').split('; ')) assert.match(part, /^job_artifacts_size of /)
  const unseen = findings.filter(({ says }) => says === '0 looked at').map(({ check }) => check)
  assert.deepEqual(
    unseen.filter(check => !['Moves of references', 'Unnamed files'].includes(check)),
    [],
  )
  assert.deepEqual(await found(), [])
})

test('a check is begun again where the object store fails, and says so where it goes on failing', async () => {
  let failures = 0
  const failing = (most: number) => ({
    ...deps,
    objects: {
      ...deps.objects,
      async *list() {
        failures += 1
        if (failures <= most) throw new ObjectStoreUnavailable('the object store failed: InternalError 500')
        yield* deps.objects.list()
      },
    },
  })
  const lines = async (most: number): Promise<string[]> => {
    failures = 0
    const found = []
    for await (const { check, outcome, says } of checkInstance(failing(most), { mend: false, digests: false }))
      if (outcome !== 'ok') found.push(`${check}: ${outcome}, ${says}`)
    return found
  }

  assert.deepEqual([await lines(2), failures], [[], 3])
  assert.deepEqual(await lines(9), ['Unnamed files: wrong, not looked at: the object store failed: InternalError 500'])
})

test('counts that are not those of their rows are counted again', async () => {
  await sql`update projects set star_count = 70, open_issues_count = open_issues_count + 1 where id = ${project.id}`.execute(db)
  await sql`update project_statistics set lfs_objects_size = 5 where project_id = ${project.id}`.execute(db)

  await assertMended('Counters', /star_count of projects \d+ is 70, not \d+; open_issues_count.*; lfs_objects_size of project_statistics/)
})

test('ids that are taken are not given out again', async () => {
  await sql`select setval(pg_get_serial_sequence('users', 'id'), 1)`.execute(db)
  await sql`update iid_counters set value = 0 where project_id = ${project.id} and noun = 'merge_request'`.execute(db)

  await assertMended('Next ids', /users has id \d+, and the last one given out is 1; project_id \d+ has merge_request \d+/)
  const mergeRequest = await scene.mergeRequest(project, { files: { 'next.txt': 'next' } })
  assert.ok(mergeRequest.iid > 1)
})

/** Runs a statement that no foreign key stops. */
const withoutChecks = (statement: ReturnType<typeof sql>) =>
  db.transaction().execute(async db => {
    await sql`set local session_replication_role = replica`.execute(db)
    await statement.execute(db)
  })

test('a row that names no row is found, by the table that has it', async () => {
  const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: 'By one who is gone' })
  await withoutChecks(sql`update issues set author_id = 987654321 where project_id = ${project.id} and iid = ${issue.iid}`)

  const lines = await found({ mend: true })

  await withoutChecks(sql`update issues set author_id = ${scene.root.id} where project_id = ${project.id} and iid = ${issue.iid}`)
  assert.deepEqual(lines, ['Rows: wrong, author_id of issues: 1 name no row of users'])
  assert.deepEqual(await found(), [])
})

test('the reference of a merge request is set to its commit again; one whose commit is gone is named', async () => {
  const repository = deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const mergeRequest = await scene.mergeRequest(project, { files: { 'referenced.txt': 'referenced' } })
  const ref = mergeRequestRef(mergeRequest.iid, 'head')
  const [head] = await readRefs(repository, [ref])
  git(repository.path, ['update-ref', '-d', ref])

  await assertMended('References', new RegExp(`${project.full_path}!${mergeRequest.iid} is not at ${head!.slice(0, 8)}$`))

  assert.deepEqual(await readRefs(repository, [ref]), [head])
  const version = sql`(select latest_version_id from merge_requests where project_id = ${project.id} and iid = ${mergeRequest.iid})`
  await sql`update merge_request_versions set head_commit_sha = ${'7'.repeat(40)} where id = ${version}`.execute(db)
  const lines = await found({ mend: true })
  await sql`update merge_request_versions set head_commit_sha = ${head} where id = ${version}`.execute(db)
  assert.deepEqual(lines, [`References: wrong, ${project.full_path}!${mergeRequest.iid} is not at 77777777, which is gone`])
})

test('a damaged repository and one that is not there are named', async () => {
  const { project: damaged } = await scene.project({ owner: people.owner, path: 'damaged', name: 'Damaged' })
  await scene.commit(damaged, { 'a.txt': 'a' })
  const { path } = deps.storages.repository({ id: damaged.id, repository_storage: 'default' })
  const blob = git(path, ['rev-parse', 'main:a.txt'])
  await rm(join(path, 'objects', blob.slice(0, 2), blob.slice(2)))
  await sql`update project_statistics set commit_count = 1 where project_id = ${damaged.id}`.execute(db)

  const lines = await found({ mend: true })
  await rm(path, { recursive: true })
  const without = await found({ mend: true })
  await sql`update project_statistics set commit_count = 0 where project_id = ${damaged.id}`.execute(db)

  assert.deepEqual(lines.length, 1)
  assert.match(lines[0]!, new RegExp(`^Repositories: wrong, ${damaged.full_path}: missing blob ${blob}`))
  assert.deepEqual(without, [`References: wrong, ${damaged.full_path} has commits and no repository`])
})

test('repositories and files without a row are deleted, once they are old', async () => {
  const repository = await deps.storages.get('default').create({ id: 987_654_321 }, { defaultBranch: 'main' })
  const { file, key } = await stored('unnamed')
  await sql`delete from stored_objects where key = ${key}`.execute(db)
  assert.deepEqual(await found(), [])
  for (const path of [repository.path, file]) await utimes(path, LONG_AGO, LONG_AGO)

  const lines = await found()
  assert.deepEqual(lines, [`Unowned repositories: wrong, ${repository.path}`, `Unnamed files: wrong, ${key}`])
  assert.deepEqual(
    (await found({ mend: true })).map(line => line.replace(/, .*/, '')),
    ['Unowned repositories: mended', 'Unnamed files: mended'],
  )
  assert.deepEqual(await found(), [])
  await assert.rejects(() => readFile(file), { code: 'ENOENT' })
})

/** Repositories and a file that no row owns, older than a day, and what takes them away again. */
async function makeUnowned(repositories: number) {
  const paths: string[] = []
  for (let id = 987_654_400; paths.length < repositories; id++)
    paths.push((await deps.storages.get('default').create({ id }, { defaultBranch: 'main' })).path)
  const { file, key } = await stored('unowned')
  await sql`delete from stored_objects where key = ${key}`.execute(db)
  for (const path of [...paths, file]) await utimes(path, LONG_AGO, LONG_AGO)
  const remove = () => Promise.all([...paths, file].map(path => rm(path, { recursive: true })))
  return { paths, file, key, remove }
}

test('where rows are lost, nothing that they may have owned is deleted', async () => {
  const unowned = await makeUnowned(1)
  const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: 'By one whose row is lost' })
  await withoutChecks(sql`update issues set author_id = 987654321 where project_id = ${project.id} and iid = ${issue.iid}`)

  const findings: Finding[] = []
  for await (const finding of checkInstance(deps, { mend: true, digests: false })) findings.push(finding)

  await withoutChecks(sql`update issues set author_id = ${scene.root.id} where project_id = ${project.id} and iid = ${issue.iid}`)
  const wrong = findings.filter(({ outcome }) => outcome !== 'ok')
  assert.deepEqual(
    wrong.map(({ check, outcome }) => `${check}: ${outcome}`),
    ['Rows: wrong', 'Unowned repositories: wrong', 'Unnamed files: wrong'],
  )
  for (const { says, remedy } of wrong.slice(1)) {
    assert.match(says, /nothing is deleted: the database has lost rows/)
    assert.match(remedy!, /^restore a backup/)
  }
  // Both are there still.
  assert.ok((await stat(unowned.paths[0]!)).isDirectory())
  assert.equal(await readFile(unowned.file, 'utf8'), 'unowned')
  await unowned.remove()
})

test('where more than half have no owner, the database is rather another one, and nothing is deleted', async () => {
  const findings = async () => {
    const all: Finding[] = []
    for await (const finding of checkInstance(deps, { mend: true, digests: false })) all.push(finding)
    return (check: string) => all.find(finding => finding.check === check)!
  }
  const owned = Number.parseInt((await findings())('Unowned repositories').says, 10)
  const unowned = await makeUnowned(owned + 1)

  const { outcome, says, remedy } = (await findings())('Unowned repositories')

  assert.equal(outcome, 'wrong')
  assert.match(says, new RegExp(`^${owned + 1} of ${2 * owned + 1}: .*nothing is deleted: more than half have no owner`))
  assert.match(remedy!, /DATABASE_URL/)
  for (const path of unowned.paths) assert.ok((await stat(path)).isDirectory())
  await rm(unowned.paths[0]!, { recursive: true })
  assert.equal((await findings())('Unowned repositories').outcome, 'mended')
  assert.deepEqual(await found(), [])
})

test('what a backup keeps from being deleted is not called mended', async () => {
  const unowned = await makeUnowned(1)
  const lock = await lockForBackup(deps.database.url, () => {})

  const lines = await found({ mend: true })

  await lock.release()
  assert.deepEqual(lines, [`Unowned repositories: wrong, ${unowned.paths[0]}`, `Unnamed files: wrong, ${unowned.key}`])
  await unowned.remove()
})

test('files that are missing, cut off or changed are named', async () => {
  const [gone, cut, changed] = [await stored('gone'), await stored('to be cut'), await stored('to be changed')]
  await rm(gone.file)
  await truncate(cut.file, 4)
  await writeFile(changed.file, 'to be CHANGED')

  const quick = await found({ mend: true })
  const thorough = await found({ digests: true })

  const missing = [`${gone.key} is missing`, `${cut.key} has 4 bytes, not 9`]
  assert.deepEqual(quick, [`Files: wrong, ${missing.join('; ')}`])
  assert.deepEqual(thorough, [`Files: wrong, ${[...missing, `${changed.key} has other bytes than it was given`].join('; ')}`])
  await sql`delete from stored_objects where key in (${sql.join([gone.key, cut.key, changed.key])})`.execute(db)
})

test('a move of references that was never made is given up', async () => {
  const moves = JSON.stringify([{ ref: 'refs/heads/never', old: '0'.repeat(40), new: '7'.repeat(40) }])
  await sql`insert into reference_intents (project_id, moves, created_at) values (${project.id}, ${moves}::jsonb, ${new Date(0)})`.execute(
    db,
  )

  await assertMended('Moves of references', /of project \d+ is older than a day$/)
})

test('of many faults the first are named, and all are counted', async () => {
  await sql`insert into stored_objects (key, size, sha256)
    select format('ab/ab0000%s-0000-4000-8000-000000000000', to_char(n, 'FM00')), 1, repeat('0', 64) from generate_series(10, 40) n`.execute(
    db,
  )

  const findings: Finding[] = []
  for await (const finding of checkInstance(deps, { mend: false, digests: false })) findings.push(finding)
  await sql`delete from stored_objects where sha256 = repeat('0', 64)`.execute(db)

  const files = findings.find(({ check }) => check === 'Files')!
  assert.match(files.says, /^31 of \d+: .*; and 21 more$/)
  assert.match(files.remedy!, /backup/)
  assert.equal(files.says.split(';').length, 11)
})
