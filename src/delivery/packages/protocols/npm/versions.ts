/** The versions and tags of a package of npm, and the revision that says which ones a client has seen. */
import { createHash } from 'node:crypto'
import type { Context } from '../../../../platform/kernel/context.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { type PackageRow, tagsOf, versionsIn, type Where } from '../../queries.ts'

/** A version without its metadata, which all together may be large. */
export type VersionRow = Pick<PackageRow, 'id' | 'project_id' | 'package_type' | 'name' | 'lookup_name' | 'version'>

const columns = [
  'packages.id',
  'packages.project_id',
  'packages.package_type',
  'packages.name',
  'packages.lookup_name',
  'packages.version',
] as const

const named = ({ db }: Pick<Context, 'db'>, where: Where, name: string) =>
  versionsIn(db, where, { package_type: 'npm', lookup_name: name }).clearSelect().select(columns)

/** The versions of a package, of one project: of several that have the name, the one that has it longest. @throws Refusal 404 if there is none */
export async function versionsOf(ctx: Pick<Context, 'db'>, where: Where, name: string): Promise<VersionRow[]> {
  const rows = await named(ctx, where, name).execute()
  const project = rows[0]?.project_id
  if (project === undefined) throw notFound('Package')
  return rows.filter(row => row.project_id === project)
}

/** The same of one project, locked. */
export async function lockVersionsOf(ctx: Pick<Context, 'db'>, projectId: number, name: string): Promise<VersionRow[]> {
  const rows = await named(ctx, { projectId }, name).forUpdate('packages').execute()
  if (rows.length === 0) throw notFound('Package')
  return rows
}

/** Tags with the versions that they name. */
export type DistTags = Readonly<Record<string, string | null>>

/** The tags of these versions; `latest` is the newest one unless a tag says otherwise. */
export async function distTags({ db }: Pick<Context, 'db'>, rows: readonly VersionRow[]): Promise<DistTags> {
  const byId = await tagsOf(
    db,
    rows.map(row => row.id),
  )
  const tags = rows.flatMap(row => (byId.get(row.id) ?? []).map(name => [name, row.version] as const))
  return { latest: rows.at(-1)?.version ?? null, ...Object.fromEntries(tags) }
}

/** Another one for other versions or tags: who names it has seen what is changed. */
export function revisionOf(rows: readonly VersionRow[], tags: DistTags): string {
  const seen = JSON.stringify([rows.map(({ id }) => id), Object.entries(tags).sort()])
  return `${rows.length}-${createHash('sha256').update(seen).digest('hex').slice(0, 32)}`
}
