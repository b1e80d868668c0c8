/**
 * Generates what follows from the migrations, by running them on a database made for it: the types (schema.ts) and the readable schema
 * (test/golden/schema.sql). Run by `npm run generate`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
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
import { dumpSchema } from './dump.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

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

/** Writes both files below `root`, the repository. */
async function writeGenerated(root: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ingot-generate-'))
  const log = pino({ level: 'warn' })
  const embedded = await startEmbedded({ dataDir, log, isEphemeral: true })
  try {
    await migrate({ url: embedded.url, log })
    const { pool, close } = openPool({ connectionString: embedded.url }, log)
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    const files = { 'src/platform/db/schema.ts': await generateTypes(db), 'test/golden/schema.sql': await dumpSchema(db) }
    await close()
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), content)
    }
  } finally {
    await embedded.stop()
    await rm(dataDir, { recursive: true })
  }
}

if (import.meta.main) await writeGenerated(join(import.meta.dirname, '..', '..', '..'))
