/** Restores whose connection to the database ends while the rows are committed: nothing that is there is lost, and nothing stays that is not. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { emptyDatabaseUrl } from '../../../test/database.ts'
import { testFolder } from '../../../test/folder.ts'
import { openScene } from '../../../test/scene.ts'
import { type Config, parseConfig, places } from '../../platform/config.ts'
import { openDatabase } from '../../platform/db/connection.ts'
import { Secret } from '../../platform/secret.ts'
import { start } from '../start.ts'
import { RowsUnknown } from './archive/faults.ts'
import { archiveInFile } from './archive/places.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

const scene = await openScene()
const { deps } = scene
const folder = await testFolder()
const owner = await scene.user()
const { project } = await scene.project({ owner, path: 'kept', name: 'Kept' })
await scene.commit(project, { 'a.txt': 'a' })
const file = join(folder, 'small.backup')
await backUp({ ...deps, config: { ...deps.config, secretKey: new Secret('07'.repeat(32)) } }, { place: archiveInFile(file) })

let targets = 0
const target = (databaseUrl: string): Config =>
  parseConfig({}, {}, { dataDir: join(folder, `restored-${++targets}`), databaseUrl, port: '0', sshPort: 'off', workers: '0' })

const repositoriesOf = async (config: Config): Promise<string[]> =>
  (await readdir(places(config).repositories, { recursive: true }).catch((): string[] => [])).filter(name => name.endsWith('.git'))

/** A relay in front of the database of `url`: `cut` says what becomes of the connection that writes the rows, once it commits. */
async function relayed(url: string, cut: 'before' | 'after' | 'for_ever'): Promise<string> {
  const socket = join(decodeURIComponent(/host=([^&]+)/.exec(url)![1]!), '.s.PGSQL.5432')
  let isDown = false
  const relay = createServer(client => {
    if (isDown) return void client.destroy()
    const server = connect(socket)
    const end = () => {
      for (const each of [client, server]) each.destroy()
    }
    let isWriter = false
    client.on('data', bytes => {
      isWriter ||= bytes.includes('ingot backup')
      const commits = isWriter && bytes.includes('commit\0')
      if (!commits) return server.write(bytes)
      isDown = cut === 'for_ever'
      if (cut === 'before') return end()
      server.removeAllListeners('data').on('data', end)
      server.write(bytes)
    })
    server.on('data', bytes => client.write(bytes))
    for (const each of [client, server]) each.on('error', end).on('close', end)
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  atEnd(async () => void relay.close())
  const { port } = relay.address() as AddressInfo
  return url.replace(/@.*\//, `@127.0.0.1:${port}/`).replace(/\?.*/, '')
}

test('a restore whose connection ends during the commit asks whether the rows are there', async () => {
  const direct = await emptyDatabaseUrl()

  for (const [cut, isThere] of [
    ['before', false],
    ['after', true],
  ] as const) {
    const databaseUrl = await relayed(direct, cut)
    const config = target(databaseUrl)
    const restored = restore({ config, log: deps.log, place: archiveInFile(file) })

    if (isThere) assert.equal((await restored).repositories, 1)
    else {
      await assert.rejects(restored, /Connection terminated/)
      assert.deepEqual(await readdir(config.dataDir).catch(() => []), [])
    }
    assert.equal((await repositoriesOf(config)).length, isThere ? 1 : 0)
  }
  const database = await openDatabase({ url: direct, poolSize: 1, log: deps.log })
  try {
    assert.deepEqual(
      (await database.db.selectFrom('projects').select('id').execute()).map(({ id }) => id),
      [project.id],
    )
  } finally {
    await database.close()
  }
})

test('a restore that never learns whether its rows are there keeps all the rest, and nothing starts with it', async () => {
  const config = target(await relayed(await emptyDatabaseUrl(), 'for_ever'))

  await assert.rejects(
    () => restore({ config, log: deps.log, place: archiveInFile(file) }),
    (error: Error) =>
      error instanceof RowsUnknown && /if the database has rows, everything is restored: remove .*restore-unfinished/.test(error.message),
  )

  assert.equal((await repositoriesOf(config)).length, 1)
  await assert.rejects(() => start({ config, log: deps.log }), /the restore into .* did not finish/)
})
