/** Backups of a world in which everything is, made while it is written to, and restored beside it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../test/at_end.ts'
import { copyOfWorld } from '../../../test/derived/made_once.ts'
import { testFolder } from '../../../test/folder.ts'
import { tidyRepository } from '../../code/housekeeping/commands.ts'
import { removeRepository } from '../../code/repository/lifecycle/removal.ts'
import { ConfigError, places } from '../../platform/config.ts'
import { openDatabase } from '../../platform/db/connection.ts'
import { type BackupLock, lockForBackup } from '../../platform/db/migrating/backup_lock.ts'
import { migrate } from '../../platform/db/migrating/migrate.ts'
import { allRefs, client, openStorage } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'
import { openObjectStore } from '../../platform/object_store/open.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { dropUnusedObjects } from '../../platform/object_store/unused.ts'
import { Secret } from '../../platform/secret.ts'
import { start } from '../start.ts'
import { ArchiveDamaged, ArchiveLocked, NotMigrated } from './archive/faults.ts'
import { FORMAT } from './archive/format.ts'
import { archiveInFile } from './archive/places.ts'
import { ArchiveWriter } from './archive/writer.ts'
import { backUp, type Progress } from './backup.ts'
import { restore } from './restore.ts'
import { assertUntouched, nothing, refsBelow, rowsOf, target } from './scene.ts'

const { scene, people, places: worldPlaces } = await copyOfWorld()
const { deps } = scene
const folder = await testFolder()
const KEY = '07'.repeat(32)
const passphrase = new Secret('correct horse battery')
/** The key of the scene, as the environment would have it. */
const backed = { ...deps, config: { ...deps.config, secretKey: new Secret(KEY) } }

/** git as a client of a server in this process, which must not wait for it. */
async function clientOf(where: string, args: readonly string[]): Promise<void> {
  const { code, output } = await client(where, args)
  assert.equal(code, 0, output)
}

/** One backup for all tests, made while the world changes. */
const file = join(folder, 'world.backup')
const begin = worldPlaces.private.project
await scene.commit(begin, { 'before.txt': 'before' }, { branch: 'goes', start_branch: 'main' })
await scene.commit(begin, { 'before.txt': 'before' }, { branch: 'moves', start_branch: 'main' })
await scene.commit(begin, { 'before.txt': 'before' }, { branch: 'merged', start_branch: 'main' })
const merging = await scene.mergeRequest(begin, { source_branch: 'merged' })
const { project: doomed } = await scene.project({ owner: people.owner, path: 'doomed', name: 'Doomed' })
await scene.commit(doomed, { 'a.txt': 'doomed' })
const stored = await deps.objects.put(Readable.from([Buffer.from('named until the backup has begun')]))
await recordObject(deps.database.db, stored)
const then = { rows: {} as Record<string, string>, refs: {} as Record<string, readonly string[]> }

async function changeTheWorld(): Promise<void> {
  const { database, objects, now, log } = deps
  await scene.commit(begin, { 'after.txt': 'after' }, { branch: 'moves' })
  await scene.commit(begin, { 'after.txt': 'after' }, { branch: 'new', start_branch: 'main' })
  assert.equal((await scene.root.delete(`${begin.url}/repository/branches/goes`)).status, 204)
  assert.equal((await scene.root.put(`${merging.url}/merge`)).status, 200)
  await scene.mergeRequest(begin, { files: { 'later.txt': 'later' } })
  assert.ok((await scene.root.delete(doomed.url)).status < 300)
  await removeRepository(deps, { project_id: doomed.id, repository_storage: 'default' } as Parameters<typeof removeRepository>[1])
  await database.db
    .updateTable('stored_objects')
    .set({ created_at: new Date(0) })
    .where('key', '=', stored.key)
    .execute()
  await dropUnusedObjects({ database, objects, log, now })
  const { path } = deps.storages.repository({ id: begin.id, repository_storage: 'default' })
  // As old as what packing deletes.
  execFileSync('find', [join(path, 'objects'), '-type', 'f', '-exec', 'touch', '-d', '2 months ago', '{}', '+'])
  await tidyRepository(deps, { project_id: begin.id, always: true })
}

// As a worker leaves a job that ended in the midst of it.
const { numAffectedRows: locked } = await sql`
  update graphile_worker._private_jobs set locked_at = now(), locked_by = 'ended' where id = (select min(id) from graphile_worker._private_jobs)`.execute(
  deps.database.db,
)

let writes = 0
const made = await backUp(backed, {
  place: archiveInFile(file),
  passphrase,
  onSnapshot: async db => {
    then.rows = await rowsOf(db)
    then.refs = await refsBelow(places(deps.config).repositories)
    await changeTheWorld()
    // And on it goes.
    void (async () => {
      for (; writes < 5; writes++) await scene.commit(begin, { [`${writes}.txt`]: 'more' }, { branch: 'moves' })
    })()
  },
})

test('what is restored is what was there at one instant: every row, reference and file', async () => {
  assert.deepEqual([made.missing_objects, made.damaged_repositories], [[], []])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const config = await target()

  const restored = await restore({ config, log: deps.log, place: archiveInFile(file), passphrase })

  assert.deepEqual([restored.tables, restored.repositories, restored.objects], [made.tables, made.repositories, made.objects])
  const url = config.databaseUrl!.reveal()
  const database = await openDatabase({ url, poolSize: 2, log: deps.log })
  const objects = await openObjectStore(config)
  try {
    assert.deepEqual(await rowsOf(database.db), then.rows)
    assert.equal(locked, 1n)
    const held = await sql`select id from graphile_worker._private_jobs where locked_by is not null`.execute(database.db)
    assert.deepEqual(held.rows, [], 'nobody works on the jobs of an instance that was restored')
    const refs = await refsBelow(places(config).repositories)
    // References that only keep commits from being pruned may be more. The world has repositories that no row names, which a backup leaves out.
    const isShown = (line: string) => !line.includes(' refs/keep-around/')
    for (const [path, names] of Object.entries(refs)) {
      assert.deepEqual(names.filter(isShown), then.refs[path]?.filter(isShown), path)
      assert.deepEqual(
        then.refs[path]?.filter(line => !names.includes(line)),
        [],
        path,
      )
    }
    assert.equal(Object.keys(refs).length, made.repositories)
    for (const path of Object.keys(refs)) git(join(places(config).repositories, path), ['fsck', '--full', '--connectivity-only'])
    const rows = await database.db.selectFrom('stored_objects').select(['key', 'sha256']).execute()
    assert.ok(rows.some(({ key }) => key === stored.key))
    for (const { key, sha256 } of rows)
      assert.equal(
        createHash('sha256')
          .update(await buffer(await objects.read(key)))
          .digest('hex'),
        sha256,
      )
    assert.deepEqual((await readFile(places(config).secretKey, 'utf8')).trim(), KEY)
    const { rows: next } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('users', 'id')) as id`.execute(database.db)
    const { highest } = await database.db
      .selectFrom('users')
      .select(({ fn }) => fn.max('id').as('highest'))
      .executeTakeFirstOrThrow()
    assert.ok(next[0]!.id > Number(highest))
  } finally {
    await objects.close()
    await database.close()
  }

  const ingot = await start({ config, log: deps.log })
  try {
    const headers = { 'private-token': scene.root.token }
    const project = await (await fetch(`${ingot.url}/api/v4${begin.url}`, { headers })).json()
    const merge = await (await fetch(`${ingot.url}/api/v4${merging.url}`, { headers })).json()
    assert.deepEqual([project.id, merge.state], [begin.id, 'opened'])
    const address = `${ingot.url.replace('//', `//root:${scene.root.token}@`)}/${begin.full_path}.git`
    const work = join(folder, 'clone')
    await clientOf(folder, ['clone', '--quiet', address, work])
    await writeFile(join(work, 'restored.txt'), 'work goes on')
    git(work, ['add', '.'])
    git(work, ['commit', '--quiet', '-m', 'Go on'])
    await clientOf(work, ['push', '--quiet', 'origin', 'HEAD:refs/heads/go-on'])
    const branch = await fetch(`${ingot.url}/api/v4${begin.url}/repository/branches/go-on`, { headers })
    assert.equal(branch.status, 200)
  } finally {
    await ingot.stop()
  }
})

test('after the backup the packing and the deletions go on that waited for it', async () => {
  await tidyRepository(deps, { project_id: begin.id, always: true })
  const { path } = deps.storages.repository({ id: begin.id, repository_storage: 'default' })
  assert.equal(
    (await readdir(join(path, 'objects', 'pack'))).some(name => name.endsWith('.pack')),
    true,
  )
  const { key } = await deps.objects.put(Readable.from([Buffer.from('x')]))
  await deps.objects.delete([key])
  await assert.rejects(() => deps.objects.read(key))
})

test('a backup that lost its lock is not kept, though another one has the lock', async () => {
  const lost = join(folder, 'lost.backup')
  let other: BackupLock | undefined
  const onSnapshot = async () => {
    await sql`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database()) and objid = 1106201116`.execute(deps.database.db)
    other = await lockForBackup(deps.database.url, () => {})
  }

  await assert.rejects(() => backUp(backed, { place: archiveInFile(lost), onSnapshot }), /the connection to the database was lost/)

  await other!.release()
  await assert.rejects(() => stat(lost), { code: 'ENOENT' })
})

/** A copy of the archive with a change. */
async function changed(name: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, change(await readFile(file)))
  return path
}

test('a restore that cannot be migrated after its rows are in keeps everything, and says what to do', async () => {
  const config = await target()
  const url = config.databaseUrl!.reveal()
  const name = sql.id(/\/(test_\w+)/.exec(url)![1]!)
  const { db } = deps.database
  let closing: Promise<unknown> | undefined
  // No new connections while the rows are taken: those that come after the commit fail.
  const onProgress = ({ doing }: Progress) => {
    if (doing === 'rows') closing ??= sql`alter database ${name} with allow_connections false`.execute(db)
  }

  await assert.rejects(
    () => restore({ config, log: deps.log, place: archiveInFile(file), passphrase, onProgress }),
    (error: Error) => error instanceof NotMigrated && /is restored, .*: start the server/.test(error.message),
  )

  await closing
  await sql`alter database ${name} with allow_connections true`.execute(db)
  const database = await openDatabase({ url, poolSize: 1, log: deps.log })
  try {
    assert.deepEqual(await rowsOf(database.db), then.rows)
  } finally {
    await database.close()
  }
  assert.equal(Object.keys(await refsBelow(places(config).repositories)).length, made.repositories)
  await assert.rejects(() => stat(places(config).unfinishedRestore), { code: 'ENOENT' })
})

test('a wrong passphrase, or none, is named before anything is made', async () => {
  const config = await target()
  for (const [given, says] of [
    [new Secret('another passphrase'), /passphrase is not that/],
    [undefined, /is encrypted/],
  ] as const)
    await assert.rejects(
      () => restore({ config, log: deps.log, place: archiveInFile(file), passphrase: given }),
      (error: Error) => error instanceof ArchiveLocked && says.test(error.message),
    )
  await assertUntouched(config)
})

test('an archive that was cut off, or in which a bit has changed, is refused, and leaves nothing', async () => {
  const plain = join(folder, 'plain.backup')
  await backUp(backed, { place: archiveInFile(plain) })
  const { size } = await stat(plain)
  const cut = join(folder, 'cut.backup')
  await writeFile(cut, await readFile(plain))
  await truncate(cut, size - 100)
  const half = await changed('half.backup', bytes => bytes.subarray(0, bytes.length - 20))
  const flipped = await changed('flipped.backup', bytes => {
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    return bytes
  })
  const flippedPlain = join(folder, 'flipped-plain.backup')
  const bytes = await readFile(plain)
  bytes[Math.floor(size * 0.9)]! ^= 1
  await writeFile(flippedPlain, bytes)
  const noBackup = join(folder, 'no.backup')
  await writeFile(noBackup, 'something else')
  const config = await target()

  for (const broken of [cut, half, flipped, flippedPlain, noBackup]) {
    await assert.rejects(() => restore({ config, log: deps.log, place: archiveInFile(broken), passphrase }), ArchiveDamaged, broken)
    await assertUntouched(config)
  }
})

test('only an empty target is restored into', async () => {
  const folderUsed = await target()
  await mkdir(folderUsed.dataDir)
  await writeFile(join(folderUsed.dataDir, 'secret.key'), 'mine')
  const databaseUsed = await target({ databaseUrl: deps.database.url })
  const unfinished = await target()
  await mkdir(unfinished.dataDir)
  await writeFile(places(unfinished).unfinishedRestore, '')

  for (const [config, says] of [
    [folderUsed, /is not empty \(secret\.key\)/],
    [databaseUsed, /the database is not empty/],
    [unfinished, /did not finish: remove that folder/],
  ] as const)
    await assert.rejects(
      () => restore({ config, log: deps.log, place: archiveInFile(file), passphrase }),
      (error: Error) => error instanceof ConfigError && says.test(error.message),
    )
  assert.equal(await readFile(join(folderUsed.dataDir, 'secret.key'), 'utf8'), 'mine')
  await assert.rejects(() => start({ config: unfinished, log: deps.log }), /the restore into .* did not finish/)
})

/** How a manifest begins. */
const first = { format: FORMAT, id: nothing.self.id, previous: null }

test('a backup of a newer version is refused by its name', async () => {
  const newer = join(folder, 'newer.backup')
  const writer = await ArchiveWriter.open(archiveInFile(newer), undefined)
  await writer.add('manifest.json', JSON.stringify({ ...first, ingot: '99.0.0', migrations: ['9999_future'], tables: [] }))
  await writer.finish({ missing_objects: [], damaged_repositories: [] }, nothing)
  const config = await target()

  await assert.rejects(
    () => restore({ config, log: deps.log, place: archiveInFile(newer) }),
    /made by a newer Ingot \(99\.0\.0, with 9999_future\)/,
  )
  await assertUntouched(config)
})

test('a database that is migrated further than the backup is refused', async () => {
  const older = join(folder, 'older.backup')
  const writer = await ArchiveWriter.open(archiveInFile(older), undefined)
  await writer.add('manifest.json', JSON.stringify({ ...first, ingot: '0.0.1', migrations: ['0001_people'], tables: [] }))
  await writer.finish({ missing_objects: [], damaged_repositories: [] }, nothing)
  const config = await target()
  await migrate({ url: config.databaseUrl!.reveal(), log: deps.log })

  await assert.rejects(() => restore({ config, log: deps.log, place: archiveInFile(older) }), /migrated further/)
})

test('a file that exists is not overwritten, and a full disk leaves none', async t => {
  await assert.rejects(() => backUp(backed, { place: archiveInFile(file) }), /exists: name another file/)
  if (process.getuid?.() !== 0) return t.skip('only root mounts a small disk')
  const disk = join(folder, 'disk')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk])
  atEnd(async () => void execFileSync('umount', [disk]))

  await assert.rejects(() => backUp(backed, { place: archiveInFile(join(disk, 'full.backup')) }), { code: 'ENOSPC' })

  assert.deepEqual(await readdir(disk), [])
})

test('a file that is missing and a repository that is damaged are named, and the rest is restored', async () => {
  const { project } = await scene.project({ owner: people.owner, path: 'damaged', name: 'Damaged' })
  await scene.commit(project, { 'a.txt': 'a' })
  const { path } = deps.storages.repository({ id: project.id, repository_storage: 'default' })
  execFileSync('find', [join(path, 'objects'), '-type', 'f', '-delete'])
  const [gone, short] = await Promise.all([1, 2].map(async () => deps.objects.put(Readable.from([Buffer.from('content')]))))
  for (const object of [gone!, short!]) await recordObject(deps.database.db, object)
  await deps.objects.delete([gone!.key])
  await writeFile(join(places(deps.config).objects, short!.key), 'cont')
  const faulty = join(folder, 'faulty.backup')
  const config = await target()

  const summary = await backUp(backed, { place: archiveInFile(faulty) })
  const restored = await restore({ config, log: deps.log, place: archiveInFile(faulty) })

  assert.deepEqual(summary.missing_objects.toSorted(), [gone!.key, short!.key].toSorted())
  assert.deepEqual(summary.damaged_repositories, [`repositories/default/@hashed/${project.id}`])
  assert.deepEqual(restored.missing_objects, summary.missing_objects)
  const storage = openStorage({ name: 'default', root: join(places(config).repositories, 'default') })
  try {
    assert.equal(await storage.exists(storage.repository(project.id)), false)
    assert.ok((await allRefs(storage.repository(begin.id))).size > 0)
  } finally {
    await storage.close()
  }
})
