/**
 * Generates what follows from the migrations, by running them on a database made for it: the types (schema.ts) and the readable schema
 * (test/golden/schema.sql). Run by `npm run generate`.
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import {
  ColumnTypeNode,
  type DatabaseMetadata,
  generate,
  IdentifierNode,
  PostgresDialect as Introspection,
  UnionExpressionNode,
} from 'kysely-codegen'
import pino from 'pino'
import { startEmbedded } from '../embedded/embedded.ts'
import { openPool } from '../pool.ts'
import { dumpSchema } from './dump.ts'
import { migrate, schemaDigest } from './migrate.ts'

/** The types of a migrated database, as the connection's parsers read it (types.ts); allowed values in checks become unions. */
export async function generateTypes(db: Kysely<unknown>): Promise<string> {
  const dialect = new Introspection({ dateParser: 'string', numericParser: 'number' })
  const written = new UnionExpressionNode([new IdentifierNode('Date'), new IdentifierNode('string')])
  dialect.adapter.definitions.Timestamp = new ColumnTypeNode(new IdentifierNode('string'), written, written)
  dialect.adapter.scalars.int8 = new IdentifierNode('number')
  return generate({
    // The package knows Kysely by its CommonJS declarations, ours are those of the ES modules.
    db: db as unknown as Parameters<typeof generate>[0]['db'],
    dialect,
    outFile: null,
    excludePattern: '(kysely_*|graphile_worker.*)',
    postprocess: ({ metadata }) => withAllowedValues(db, metadata),
  })
}

/** Text columns that a check holds to a list of values: `check (state in ('active', 'blocked'))`. */
async function withAllowedValues(db: Kysely<unknown>, metadata: DatabaseMetadata): Promise<DatabaseMetadata> {
  const { rows } = await sql<{ table: string; column: string; check: string }>`
    select c.conrelid::regclass::text as table, a.attname as column, pg_get_constraintdef(c.oid) as check
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c' and a.atttypid = 'text'::regtype order by c.conname`.execute(db)
  for (const { table, column, check } of rows) {
    const list = check.match(/^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/)?.[1]
    const found = metadata.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)
    if (list && found) found.enumValues = [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value]) => value!.replaceAll("''", "'"))
  }
  return metadata
}

/** What is written, below the repository. */
const written = ['src/platform/db/schema.ts', 'test/golden/schema.sql'] as const

/** Writes both files below `root`, the repository; where nothing that they are made of has changed since, they stay, and no database is made. */
async function writeGenerated(root: string): Promise<void> {
  const note = join(root, 'node_modules', '.cache', 'ingot-schema')
  if ((await readFile(note, 'utf8').catch(() => '')) === (await digestOf(root))) return
  await generateInto(root)
  await mkdir(dirname(note), { recursive: true })
  await writeFile(note, await digestOf(root))
}

/** Of both files, and of what they are made of. */
async function digestOf(root: string): Promise<string> {
  const hash = createHash('sha256').update(await schemaDigest())
  const makers = ['src/platform/db/migrating/generate.ts', 'src/platform/db/migrating/dump.ts', 'package-lock.json']
  for (const file of [...makers, ...written]) hash.update(`${file}\n`).update(await readFile(join(root, file)).catch(() => ''))
  return hash.digest('hex')
}

async function generateInto(root: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-generate-'))
  const log = pino({ level: 'warn' })
  const embedded = await startEmbedded({ dataDir, log, isEphemeral: true })
  try {
    await migrate({ url: embedded.url, log })
    const { pool, close } = openPool({ connectionString: embedded.url }, log)
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    const contents = [await generateTypes(db), await dumpSchema(db)]
    await close()
    for (const [index, file] of written.entries()) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), contents[index] as string)
    }
  } finally {
    await embedded.stop()
    await rm(dataDir, { recursive: true })
  }
}

if (import.meta.main) await writeGenerated(join(import.meta.dirname, '..', '..', '..', '..'))
