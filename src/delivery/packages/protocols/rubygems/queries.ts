/** Reads of gems: the version is the package, and each platform a file of it. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { bytesSaid, installable, packageFiles } from '../../queries.ts'
import { type GemVersion, type NeedyGem, namesIn } from './documents.ts'
import type { Gemspec } from './gemspec.ts'

/** What is kept of a gem with its file. */
export interface GemMetadata {
  readonly gemspec: Gemspec
  readonly platform: string
  /** Its line in the compact index. */
  readonly info: string
}

const gems = (db: Db, projectId: number) =>
  db
    .selectFrom('packages')
    .innerJoin('package_files', 'package_files.package_id', 'packages.id')
    .where('packages.project_id', '=', projectId)
    .where('packages.package_type', '=', 'rubygems')
    .where('packages.status', 'in', installable)

const textOf = (field: 'platform' | 'info') => sql<string>`package_files.metadata->>${sql.lit(field)}`

/** All gems of a project, in the order of their publication. */
export const gemsOf = (db: Db, projectId: number): Promise<GemVersion[]> =>
  gems(db, projectId)
    .select(['packages.name', sql<string>`packages.version`.as('version'), textOf('platform').as('platform')])
    .orderBy('package_files.id')
    .execute()

const dependencies = sql<Gemspec['dependencies']>`package_files.metadata->'gemspec'->'dependencies'`

/** The files of the gems of these names, in the order of their publication, with the bytes of what they say to need. */
export const filesOfGems = (db: Db, projectId: number, names: readonly string[]): Promise<{ id: number; bytes: number }[]> =>
  gems(db, projectId)
    .select(['package_files.id', sql<number>`octet_length((${dependencies})::text)`.as('bytes')])
    .where('packages.lookup_name', '=', anyOf(names))
    .orderBy('package_files.id')
    .execute()

/** Gems whose needs are in memory at a time. */
const BATCH = 20

/** The gems in these files with what they need, without what else may be large, few at a time. */
export async function* neededOf(db: Db, projectId: number, files: readonly { readonly id: number }[]): AsyncGenerator<NeedyGem[]> {
  for (let from = 0; from < files.length; from += BATCH) {
    const ids = files.slice(from, from + BATCH).map(({ id }) => id)
    yield await gems(db, projectId)
      .select([
        'packages.name',
        sql<string>`packages.version`.as('version'),
        textOf('platform').as('platform'),
        dependencies.as('dependencies'),
      ])
      .where('package_files.id', '=', anyOf(ids))
      .orderBy('package_files.id')
      .execute()
  }
}

/** The lines of a gem in the compact index. */
export async function infoLinesOf(db: Db, projectId: number, name: string): Promise<string[]> {
  const rows = await gems(db, projectId)
    .select(textOf('info').as('info'))
    .where('packages.lookup_name', '=', name)
    .orderBy('package_files.id')
    .execute()
  return rows.map(({ info }) => info)
}

/** The names of all gems. */
export async function gemNamesOf(db: Db, projectId: number): Promise<string[]> {
  const rows = await gems(db, projectId).select('packages.name').distinct().orderBy('packages.name').execute()
  return rows.map(({ name }) => name)
}

/** Each gem with all of its versions, and the digest of the compact index of its name. */
export const gemIndexOf = (db: Db, projectId: number) =>
  gems(db, projectId)
    .select([
      'packages.name',
      sql<string>`string_agg(split_part(${textOf('info')}, ' ', 1), ',' order by package_files.id)`.as('versions'),
      sql<string>`md5(E'---\\n' || string_agg(${textOf('info')} || E'\\n', '' order by package_files.id))`.as('digest'),
      sql<string>`max(package_files.created_at)`.as('changed_at'),
    ])
    .groupBy('packages.name')
    .orderBy('packages.name')
    .execute()

/** Bytes of what all gems of a project say of themselves. */
export async function bytesOfGems(db: Db, projectId: number): Promise<number> {
  const { bytes } = await gems(db, projectId).select(bytesSaid.as('bytes')).executeTakeFirstOrThrow()
  return bytes
}

/** The gem in a file of this name. */
export const gemFile = (db: Db, projectId: number, fullName: string) =>
  packageFiles(db)
    .innerJoin('packages', 'packages.id', 'package_files.package_id')
    .where('packages.project_id', '=', projectId)
    .where('packages.package_type', '=', 'rubygems')
    .where('packages.status', 'in', installable)
    .where('packages.lookup_name', '=', anyOf(namesIn(fullName)))
    .where('package_files.file_name', '=', `${fullName}.gem`)
    .executeTakeFirst()
