/** Placeholders in the addresses of badges: `%{project_path}` is the path of the project that shows the badge. */

import { sql } from 'kysely'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { readRefs } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type ProjectRow, projectsById } from '../projects/queries.ts'
import { findRepository } from '../projects/repository/store.ts'
import type { BadgeRow } from './queries.ts'

/** The values of the placeholders; those without a value are left as they are. */
export type Values = Readonly<Record<string, string | null>>

const pattern = /%\{(\w+)\}/g

/** Replaces the placeholders in an address. Pure. */
export const withValues = (url: string, values: Values): string =>
  url.replace(pattern, (written, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? written) : written))

/**
 * The values of the projects that these badges are shown for, by their ids. The repository is read only if a commit is referred to, and only where
 * the caller may read the code.
 */
export async function valuesFor(
  ctx: Context,
  badges: readonly Pick<BadgeRow, 'link_url' | 'image_url' | 'shown_for'>[],
): Promise<Map<number, Values>> {
  const needed = badges.filter(({ link_url, image_url }) => `${link_url}${image_url}`.includes('%{'))
  const projects = await projectsById(ctx.db, [...new Set(needed.flatMap(({ shown_for }) => shown_for ?? []))])
  const commits = needed.some(({ link_url, image_url }) => `${link_url}${image_url}`.includes('%{commit_sha}'))
  const withCode = commits ? await readableAmong(ctx, [...projects.keys()]) : undefined
  const values = [...projects.values()].map(
    async project => [project.id, await valuesOf(ctx, project, withCode?.has(project.id) ?? false)] as const,
  )
  return new Map(await Promise.all(values))
}

/** The projects among these whose code the caller may read. */
async function readableAmong({ db, actor }: Context, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const allowed = projectsAllowing(actor, 'read_code', sql<boolean>`projects.id = ${anyOf(ids)}`)
  const rows = await db.selectFrom('projects').select('id').where(sql<boolean>`projects.id in (${allowed})`).execute()
  return new Set(rows.map(({ id }) => id))
}

const valuesOf = async (ctx: Context, project: ProjectRow, withCommit: boolean): Promise<Values> => ({
  project_path: project.full_path,
  project_title: project.name,
  project_name: project.path,
  project_id: String(project.id),
  project_namespace: project.namespace_full_path,
  default_branch: project.default_branch,
  commit_sha: withCommit ? await tipOf(ctx, project) : null,
})

async function tipOf({ deps }: Context, project: ProjectRow): Promise<string | null> {
  const repository = project.default_branch === null ? undefined : await findRepository(deps.storages, project)
  const [tip] = repository ? await readRefs(repository, [`refs/heads/${project.default_branch}`]) : []
  return tip ?? null
}
