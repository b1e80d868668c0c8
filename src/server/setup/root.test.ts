import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { testDatabaseUrl } from '../../../test/database.ts'
import { findToken } from '../../platform/access/credentials/credentials.ts'
import { tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import { ConfigError, parseConfig } from '../../platform/config.ts'
import { openDatabase } from '../../platform/db/connection.ts'
import { RepositoryStorages } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { RateLimiter } from '../../platform/kernel/request/rate_limit.ts'
import { digestOf, Secrets, verifyPassword } from '../../platform/kernel/secrets.ts'
import { openObjectStore } from '../../platform/object_store/open.ts'
import type { SettingName } from '../../platform/settings.ts'
import { ensureToken } from '../../spaces/tokens/commands.ts'
import '../ports.ts'
import { ensureRoot, forgetRootPassword } from './root.ts'

const closing: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The process of an instance, with its own or a shared database, and its own data directory. */
async function processOn(url: string, settings: Partial<Record<SettingName, string>> = {}): Promise<Deps> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-root-'))
  closing.push(() => rm(dataDir, { recursive: true }))
  const config = parseConfig({}, {}, { dataDir, ...settings })
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ url, poolSize: 4, log })
  closing.push(() => database.close())
  return {
    config,
    database,
    storages: new RepositoryStorages([]),
    objects: await openObjectStore(config),
    secrets: new Secrets(Buffer.alloc(32, 1)),
    limiter: new RateLimiter(undefined),
    http: { port: config.port, isStopping: false },
    ssh: { port: undefined },
    log,
    now: () => new Date(),
  }
}

const rootOf = ({ database }: Deps) => database.db.selectFrom('users').selectAll().where('username', '=', 'root').executeTakeFirstOrThrow()
const ownerOf = ({ database }: Deps, token: string) => findToken(database.db, digestOf(token), new Date())

test('the first start creates an administrator with a token of every scope, and hides the generated secrets from other users', async () => {
  const deps = await processOn(await testDatabaseUrl())

  const { username, password, token, file } = await ensureRoot(deps)

  const root = await rootOf(deps)
  const found = await ownerOf(deps, token as string)
  assert.deepEqual([username, root.admin, root.email, token?.length], ['root', true, 'admin@example.com', 20])
  assert.equal(await verifyPassword(password as string, root.password_digest as string), true)
  assert.equal(found?.user.username, 'root')
  assert.ok(found.credential.kind === 'personal_access_token')
  assert.deepEqual(found.credential.scopes, tokenScopes)
  assert.equal((await stat(file as string)).mode & 0o777, 0o600)
  assert.deepEqual(JSON.parse(await readFile(file as string, 'utf8')), { username, password, token })
})

test('later starts show no secrets but their file', async () => {
  const deps = await processOn(await testDatabaseUrl())
  const first = await ensureRoot(deps)

  assert.deepEqual(await ensureRoot(deps), { username: 'root', password: undefined, token: undefined, file: first.file })
})

test('configured secrets are used and not written to a file', async () => {
  const token = 'given-token-0123456789'
  const deps = await processOn(await testDatabaseUrl(), { rootPassword: 'correct horse', rootToken: token })

  assert.deepEqual(await ensureRoot(deps), { username: 'root', password: undefined, token, file: undefined })
  assert.equal(await verifyPassword('correct horse', (await rootOf(deps)).password_digest as string), true)
  assert.equal((await ownerOf(deps, token))?.user.username, 'root')
})

test('a weak password ends the first start, and no user is created', async () => {
  const deps = await processOn(await testDatabaseUrl(), { rootPassword: 'password' })

  await assert.rejects(
    ensureRoot(deps),
    (error: unknown) => error instanceof ConfigError && /^INGOT_ROOT_PASSWORD must not contain/.test(error.message),
  )
  assert.equal(await deps.database.db.selectFrom('users').select('id').where('username', '=', 'root').executeTakeFirst(), undefined)
})

test('a token configured at a later start becomes valid, also after it was revoked, and stays valid', async () => {
  const url = await testDatabaseUrl()
  await ensureRoot(await processOn(url))
  const rootToken = 'later-token-0123456789'
  const deps = await processOn(url, { rootToken })

  await ensureRoot(deps)
  const given = await ownerOf(deps, rootToken)
  await deps.database.db.updateTable('personal_access_tokens').set({ revoked: true }).where('digest', '=', digestOf(rootToken)).execute()
  const revoked = await ownerOf(deps, rootToken)
  await ensureRoot(deps)
  await ensureRoot(deps)

  assert.deepEqual([given?.user.username, revoked, (await ownerOf(deps, rootToken))?.user.username], ['root', undefined, 'root'])
})

test('a configured token without an administrator to own it ends the start', async () => {
  const url = await testDatabaseUrl()
  const first = await processOn(url)
  await ensureRoot(first)
  await first.database.db.updateTable('users').set({ admin: false }).where('username', '=', 'root').execute()

  await assert.rejects(ensureRoot(await processOn(url, { rootToken: 'x'.repeat(20) })), ConfigError)
})

test('a configured token that another user holds ends the start', async () => {
  const deps = await processOn(await testDatabaseUrl(), { rootToken: 'x'.repeat(20) })
  const { db } = deps.database
  const ida = { kind: 'human' as const, username: 'ida', name: 'Ida', email: 'ida@example.com', password_digest: '' }
  const rows = await db
    .insertInto('users')
    .values([ida, { ...ida, username: 'root', email: 'root@example.com', admin: true }])
    .returning('id')
    .execute()
  await ensureToken(db, rows[0]?.id as number, { name: 'own', scopes: ['api'] }, 'x'.repeat(20))

  await assert.rejects(ensureRoot(deps), { message: 'INGOT_ROOT_TOKEN is already the token of another user' })
})

test('processes that start concurrently on one database create one root, and one of them knows its secrets', async () => {
  const url = await testDatabaseUrl()
  const processes = await Promise.all([1, 2, 3, 4].map(() => processOn(url)))

  const made = await Promise.all(processes.map(ensureRoot))

  const { count } = await (processes[0] as Deps).database.db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(count, 1)
  assert.equal(made.filter(({ token }) => token !== undefined).length, 1)
})

test('the kept password is removed when it was changed, and the token stays', async () => {
  const deps = await processOn(await testDatabaseUrl())
  const { token, file } = await ensureRoot(deps)

  await forgetRootPassword(deps.config)
  await forgetRootPassword(deps.config)

  assert.deepEqual(JSON.parse(await readFile(file as string, 'utf8')), { username: 'root', token })
})
