/** Backups that build on earlier ones, made while the world is written to: what they have, what is restored of them, and what is refused. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { sql } from 'kysely'
import { copyOfWorld } from '../../../test/derived/made_once.ts'
import { testFolder } from '../../../test/folder.ts'
import { tidyRepository } from '../../code/housekeeping/commands.ts'
import { removeRepository } from '../../code/repository/lifecycle/removal.ts'
import { type Config, ConfigError, places } from '../../platform/config.ts'
import { type Db, openDatabase } from '../../platform/db/connection.ts'
import { git } from '../../platform/git/scene.ts'
import { openObjectStore } from '../../platform/object_store/open.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { Secret } from '../../platform/secret.ts'
import { openChain, verifyChain } from './archive/chain.ts'
import { layoutOf } from './archive/contents.ts'
import { ArchiveDamaged, ArchiveLocked, ChainBroken } from './archive/faults.ts'
import { listArchives } from './archive/listing.ts'
import { mergeChain } from './archive/merging.ts'
import { archiveInFile, placesIn } from './archive/places.ts'
import { type BackupOptions, backUp } from './backup.ts'
import { restore } from './restore.ts'
import { assertUntouched, refsBelow, rowsOf, target } from './scene.ts'

const { scene, people, places: worldPlaces } = await copyOfWorld()
const { deps } = scene
const folder = await testFolder()
const passphrase = new Secret('correct horse battery')
const withKey = (hex: string) => ({ ...deps, config: { ...deps.config, secretKey: new Secret(hex.repeat(32)) } })
const backed = withKey('07')
const at = (name: string) => archiveInFile(join(folder, name))

/** An instant, as the instance shows it. */
interface Instant {
  readonly rows: Record<string, string>
  readonly refs: Record<string, readonly string[]>
}

/** Makes a backup; meanwhile it is written to all the time. */
async function backUpUnderWrites(name: string, since?: string, options: Partial<BackupOptions> = {}) {
  let then: Instant | undefined
  let isOver = false
  let writes: Promise<void> | undefined
  const onSnapshot = async (db: Db) => {
    then = { rows: await rowsOf(db), refs: await refsBelow(places(deps.config).repositories) }
    const write = async () => {
      for (let count = 0; !isOver; count++) {
        await scene.commit(kept, { [`${name}-${count}.txt`]: `${count}` }, { branch: 'moves' })
        assert.equal((await scene.root.post(`${kept.url}/issues`, { title: `${name} ${count}` })).status, 201)
        await storeObject(`${name} ${count}`)
      }
    }
    writes = write()
    writes.catch(() => {})
  }
  try {
    const made = await backUp(backed, {
      place: at(name),
      passphrase,
      since: since === undefined ? undefined : at(since),
      onSnapshot,
      ...options,
    })
    return { made, instant: then! }
  } finally {
    isOver = true
    await writes
  }
}

async function storeObject(text: string): Promise<string> {
  const stored = await deps.objects.put(Readable.from([Buffer.from(text)]))
  await recordObject(deps.database.db, stored)
  return stored.key
}

const kept = worldPlaces.private.project
const { project: doomed } = await scene.project({ owner: people.owner, path: 'doomed', name: 'Doomed' })
await scene.commit(doomed, { 'a.txt': 'doomed' })
await scene.commit(kept, { 'secret.txt': 'that nobody should have seen' }, { branch: 'goes', start_branch: 'main' })
await scene.commit(kept, { 'a.txt': 'a' }, { branch: 'moves', start_branch: 'main' })
const large = Buffer.alloc(2_000_000, 'a file that stays\n')
const stays = await storeObject(large.toString())
const goes = await storeObject('a file that goes')
const repositoryOf = (id: number, config: Config = deps.config) =>
  join(places(config).repositories, 'default', deps.storages.repository({ id, repository_storage: 'default' }).path.split('/default/')[1]!)
const deleted = git(repositoryOf(kept.id), ['rev-parse', 'refs/heads/goes'])

const full = await backUpUnderWrites('full')
assert.equal((await scene.root.delete(`${kept.url}/repository/branches/goes`)).status, 204)
assert.ok((await scene.root.delete(doomed.url)).status < 300)
await removeRepository(deps, { project_id: doomed.id, repository_storage: 'default' } as Parameters<typeof removeRepository>[1])
await deps.database.db.deleteFrom('stored_objects').where('key', '=', goes).execute()
await deps.objects.delete([goes])
const first = await backUpUnderWrites('first', 'full')
const { project: later } = await scene.project({ owner: people.owner, path: 'later', name: 'Later' })
await scene.commit(later, { 'a.txt': 'later' })
await tidyRepository(deps, { project_id: kept.id, always: true })
const second = await backUpUnderWrites('second', 'first')
// Nothing has changed since that a backup looks at but the rows of what was written meanwhile.
const third = await backUpUnderWrites('third', 'second')

/** Asserts that every row, reference and object of an instant is there, and nothing else. */
async function assertShows(config: Config, then: Instant): Promise<void> {
  const database = await openDatabase({ url: config.databaseUrl!.reveal(), poolSize: 2, log: deps.log })
  const objects = await openObjectStore(config)
  try {
    assert.deepEqual(await rowsOf(database.db), then.rows)
    const refs = await refsBelow(places(config).repositories)
    // References that only keep commits from being pruned may be more. The world has repositories that no row names, which a backup leaves out.
    const isShown = (line: string) => !line.includes(' refs/keep-around/')
    for (const [path, names] of Object.entries(refs)) {
      assert.deepEqual(names.filter(isShown), then.refs[path]?.filter(isShown), path)
      assert.equal(git(join(places(config).repositories, path), ['fsck', '--full', '--strict', '--unreachable', '--no-reflogs']), '')
    }
    const rows = await database.db.selectFrom('stored_objects').select(['key', 'sha256']).orderBy('key').execute()
    const digests = await Promise.all(
      rows.map(async ({ key }) => ({
        key,
        sha256: createHash('sha256')
          .update(await buffer(await objects.read(key)))
          .digest('hex'),
      })),
    )
    assert.deepEqual(digests, rows)
    const keys: string[] = []
    for await (const { key } of objects.list()) keys.push(key)
    assert.deepEqual(keys.toSorted(), rows.map(({ key }) => key).toSorted())
  } finally {
    await objects.close()
    await database.close()
  }
}

test('a chain is restored as it was at the instant of its last backup: each row, reference and file, and nothing that was deleted before', async () => {
  const config = await target()

  const restored = await restore({ config, log: deps.log, place: at('third'), passphrase })

  assert.deepEqual(
    [restored.tables, restored.repositories, restored.objects, restored.missing_objects],
    [third.made.tables, third.made.repositories, third.made.objects, []],
  )
  await assertShows(config, third.instant)
  assert.throws(() => git(repositoryOf(kept.id, config), ['cat-file', '-e', deleted]))
  await assert.rejects(() => stat(join(places(config).objects, goes)), { code: 'ENOENT' })
  await assert.rejects(() => stat(repositoryOf(doomed.id, config)), { code: 'ENOENT' })
})

test('each backup in the middle is restored by itself, also with those before it in another folder', async () => {
  const elsewhere = join(folder, 'elsewhere')
  await mkdir(elsewhere)
  await copyFile(join(folder, 'first'), join(elsewhere, 'renamed'))
  const config = await target()

  await restore({ config, log: deps.log, place: archiveInFile(join(elsewhere, 'renamed')), passphrase, earlier: [at('full')] })

  await assertShows(config, first.instant)
})

test('a backup has only what those before it lack', async () => {
  for (const { made } of [first, second, third]) assert.ok(made.bytes < full.made.bytes / 3, `${made.bytes} of ${full.made.bytes}`)
  const { contents, archives, close } = await openChain(at('third'), passphrase)
  close()
  assert.deepEqual(
    archives.map(({ place }) => basename(place.name)),
    ['full', 'first', 'second', 'third'],
  )
  assert.equal(contents.objects.get(stays), 0)
  assert.equal(contents.objects.has(goes), false)
  const packsOf = (id: number) => contents.repositories.get(`repositories/default/@hashed/${id}`)?.packs
  assert.deepEqual([packsOf(kept.id), packsOf(later.id), packsOf(doomed.id)], [[0, 1, 2, 3], [2], undefined])
})

test('a chain is merged into one archive, which is restored without the others, and which the next backup builds on', async () => {
  const merged = join(folder, 'merged')
  await mkdir(merged)
  const place = archiveInFile(join(merged, 'whole'))
  const chain = await openChain(at('third'), passphrase)

  await mergeChain({ chain, place, passphrase })

  assert.deepEqual(await readdir(merged), ['whole'])
  const whole = await openChain(place, passphrase)
  assert.deepEqual([whole.contents.links, whole.contents.self.created_at], [[], chain.contents.self.created_at])
  await verifyChain(whole, () => {})
  const config = await target()
  const restored = await restore({ config, log: deps.log, place, passphrase })
  assert.deepEqual([restored.tables, restored.objects], [third.made.tables, third.made.objects])
  await assertShows(config, third.instant)
  assert.throws(() => git(repositoryOf(kept.id, config), ['cat-file', '-e', deleted]))
  const next = await backUp(backed, { place: archiveInFile(join(merged, 'next')), passphrase, since: place })
  assert.ok(next.bytes < full.made.bytes / 3, `${next.bytes} of ${full.made.bytes}`)
})

test('a folder says which archives it has, which builds on which, and what is wrong with them', async () => {
  const last = await chainWith('listed', 'second', async () => undefined)
  const listed = dirname(last)
  await writeFile(join(listed, 'cut'), (await readFile(join(folder, 'first'))).subarray(0, 5_000))
  await writeFile(join(listed, 'fourth.unfinished'), 'x')
  await writeFile(join(listed, 'notes.txt'), 'not an archive')

  const found = await listArchives(await placesIn(listed, undefined), passphrase)

  assert.deepEqual(
    found.map(({ name, state, builds_on, created_at }) => [name, state, builds_on, created_at !== null]),
    [
      ['full', 'whole', [], true],
      ['first', 'chained', ['full'], true],
      ['third', 'broken', ['full', 'first', 'second'], true],
      ['cut', 'damaged', [], false],
      ['fourth.unfinished', 'unfinished', [], false],
    ],
  )
  assert.match(found[2]!.fault!, /^it lacks second, the backup of 2/)
  const locked = await listArchives([archiveInFile(join(listed, 'full'))], undefined)
  assert.deepEqual([locked[0]!.state, locked[0]!.encrypted], ['locked', true])
})

/** A folder with the chain, and with one of its archives changed. */
async function chainWith(name: string, archive: string, change: (bytes: Buffer) => Promise<Buffer | undefined>): Promise<string> {
  const into = join(folder, name)
  await mkdir(into)
  for (const each of ['full', 'first', 'second', 'third']) {
    const bytes = await readFile(join(folder, each))
    const changed = each === archive ? await change(bytes) : bytes
    if (changed) await writeFile(join(into, each), changed)
  }
  return join(into, 'third')
}

const flipped = (bytes: Buffer, where: number): Buffer => {
  bytes[Math.floor(bytes.length * where)]! ^= 1
  return bytes
}

test('a backup whose predecessors are missing, exchanged, damaged or of another chain is refused before anything is written', async () => {
  await backUp(backed, { place: at('other full'), passphrase })
  await backUp(withKey('08'), { place: at('foreign'), passphrase })
  await backUp(backed, { place: at('unencrypted') })
  const otherFull = await readFile(join(folder, 'other full'))
  const entriesOf = async (name: string) => (await layoutOf(at(name)))!.entries
  const config = await target()
  for (const [what, path, isFault, says] of [
    ['missing', await chainWith('missing', 'first', async () => undefined), ChainBroken, /there is no \S+missing\/first, the backup of 2/],
    ['exchanged', await chainWith('exchanged', 'full', async () => otherFull), ChainBroken, /exchanged\/full is not the backup of 2/],
    [
      'exchanged with the next one',
      await chainWith('next', 'first', () => readFile(join(folder, 'second'))),
      ChainBroken,
      /next\/first is not the backup of 2/,
    ],
    ['damaged', await chainWith('damaged', 'full', async bytes => flipped(bytes, 0.4)), ArchiveDamaged, /damaged\/full is damaged/],
    [
      'damaged in its contents',
      await chainWith('contents', 'first', async bytes => flipped(bytes, 0.999)),
      ArchiveDamaged,
      /contents\/first/,
    ],
    ['cut off', await chainWith('cut', 'second', async bytes => bytes.subarray(0, bytes.length - 100)), ArchiveDamaged, /cut\/second/],
    [
      'with the contents of another one',
      await chainWith('mixed', 'full', async bytes =>
        Buffer.concat([bytes.subarray(0, await entriesOf('full')), otherFull.subarray(await entriesOf('other full'))]),
      ),
      ArchiveDamaged,
      /mixed\/full is damaged: its contents are those of another/,
    ],
  ] as const) {
    await assert.rejects(
      () => restore({ config, log: deps.log, place: archiveInFile(path), passphrase }),
      (error: Error) => error instanceof isFault && says.test(error.message),
      what,
    )
    await assertUntouched(config)
  }
  await assert.rejects(
    () => restore({ config, log: deps.log, place: at('first'), passphrase, earlier: [at('other full')] }),
    /first does not build on \S+other full/,
  )
  await assert.rejects(() => restore({ config, log: deps.log, place: at('first') }), ArchiveLocked)
  await assertUntouched(config)
  await assert.rejects(
    () => backUp(backed, { place: at('none'), passphrase, since: at('foreign') }),
    (error: Error) => error instanceof ConfigError && /is a backup of another instance/.test(error.message),
  )
  await assert.rejects(() => backUp(backed, { place: at('none'), since: at('full') }), ArchiveLocked)
  await assert.rejects(() => backUp(backed, { place: at('none'), passphrase, since: at('unencrypted') }), /unencrypted is not encrypted/)
  await assert.rejects(() => stat(join(folder, 'none.unfinished')), { code: 'ENOENT' })
})

test('a chain is verified without being restored; bits of an unencrypted one are found too, and it is not merged', async () => {
  const read: number[] = []
  const chain = await openChain(at('third'), passphrase)
  await verifyChain(chain, done => read.push(done))
  assert.equal(read.length, 4)

  await backUp(backed, { place: at('plain full') })
  await backUp(backed, { place: at('plain'), since: at('plain full') })
  const bytes = await readFile(join(folder, 'plain full'))
  await writeFile(join(folder, 'plain full'), flipped(bytes, 0.7))
  const plain = await openChain(at('plain'), undefined)
  await assert.rejects(() => verifyChain(plain, () => {}), /the archive \S+plain full is damaged/)
  const into = join(folder, 'not merged')
  const place = archiveInFile(join(into, 'whole'))
  await assert.rejects(() => mergeChain({ chain: plain, place, passphrase: undefined }), /the archive \S+plain full is damaged/)
  assert.deepEqual(await readdir(into), [])
})

test('a table whose columns have changed since is written as a whole, though its text is the same', async () => {
  const { db } = deps.database
  await sql`create table notes_of_a_test (id bigint primary key, a text, b text)`.execute(db)
  await sql`insert into notes_of_a_test values (1, 'left', null)`.execute(db)
  await backUp(backed, { place: at('columns full'), passphrase })
  await sql`alter table notes_of_a_test rename column a to c`.execute(db)

  await backUp(backed, { place: at('columns'), passphrase, since: at('columns full') })

  const { contents } = await openChain(at('columns'), passphrase)
  assert.deepEqual(
    contents.tables.get('public.notes_of_a_test')?.parts.map(([, link]) => link),
    [1],
  )
  await sql`drop table notes_of_a_test`.execute(db)
})
