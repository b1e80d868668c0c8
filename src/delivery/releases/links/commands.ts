/** Writes of the links of releases. */
import type { Db } from '../../../platform/db/connection.ts'
import { uniqueViolation } from '../../../platform/db/errors.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { linkProblem } from '../../../platform/kernel/addresses/web_address.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type Failures, invalid } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { assertMayRelease } from '../protection.ts'
import type { ReleaseRow } from '../queries.ts'
import type { linkTypes } from './entity.ts'
import { type LinkRow, linkById } from './queries.ts'

export interface LinkAttributes {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly filepath?: string | null | undefined
  /** The name of `filepath` in later versions of the API. */
  readonly direct_asset_path?: string | null | undefined
  readonly link_type?: (typeof linkTypes)[number] | undefined
}

/** A new link. */
export type NewLink = LinkAttributes & { readonly name: string; readonly url: string }

const schemes = ['http', 'https', 'ftp']
const taken = ['has already been taken']

/** The column with a duplicate value, by the violated constraint. */
const constraints: Readonly<Record<string, keyof LinkAttributes>> = {
  release_links_name_key: 'name',
  release_links_url_key: 'url',
  release_links_filepath_key: 'filepath',
}

/** Validates a single link (document 2 "Release link": schemes `http`, `https` and `ftp`). Pure. */
export function failuresOf({ url, ...link }: LinkAttributes): Failures {
  const filepath = pathOf(link)
  const failures: Failures = {}
  const problem = url === undefined ? undefined : linkProblem(url, schemes)
  if (problem === 'scheme') failures.url = [`is blocked: Only allowed schemes are ${schemes.join(', ')}`]
  if (problem === 'form') failures.url = ['is blocked: URI is invalid']
  // Contract: a path with a slash in front, of letters, digits, dots, dashes and underscores, ending in a letter or digit (release links API).
  if (filepath && !(filepath.length <= 128 && /^\/[-.\w/]*[\da-zA-Z]$/.test(filepath) && !filepath.includes('//')))
    failures.filepath = ['is in an invalid format']
  return failures
}

const pathOf = ({ filepath, direct_asset_path }: LinkAttributes) => (filepath === undefined ? direct_asset_path : filepath)

/** The given columns. An empty path means none. */
function columnsOf({ name, url, link_type, ...link }: LinkAttributes) {
  const filepath = pathOf(link)
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(link_type !== undefined && { link_type }),
    ...(filepath !== undefined && { filepath: filepath || null }),
  }
}

/** Refuses links that conflict with each other. @throws invalid by the index in the list */
export function assertDistinctLinks(links: readonly NewLink[]): void {
  const failures: Failures = {}
  for (const [index, link] of links.entries()) {
    const before = links.slice(0, index)
    const path = pathOf(link)
    const wrong = {
      ...(before.some(({ name }) => name === link.name) && { name: taken }),
      ...(before.some(({ url }) => url === link.url) && { url: taken }),
      ...(path && before.some(other => pathOf(other) === path) && { filepath: taken }),
      ...failuresOf(link),
    }
    for (const [name, words] of Object.entries(wrong)) failures[`assets[links][${index}][${name}]`] = words as string[]
  }
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** Contract: 400 for duplicates in the release (decision 29). */
function rethrowTaken(error: unknown): never {
  const column = constraints[uniqueViolation(error) ?? '']
  throw column === undefined ? error : invalid({ [column]: taken })
}

/** Adds links to a release, in this order. `assertDistinctLinks` must have checked them. */
export async function insertLinks(db: Db, releaseId: number, links: readonly NewLink[], now: Date): Promise<readonly number[]> {
  if (links.length === 0) return []
  const rows = await db
    .insertInto('release_links')
    .values(
      links.map(link => ({
        name: link.name,
        url: link.url,
        filepath: pathOf(link) || null,
        link_type: link.link_type ?? 'other',
        release_id: releaseId,
        created_at: now,
        updated_at: now,
      })),
    )
    .returning('id')
    .execute()
    .catch(rethrowTaken)
  return rows.map(({ id }) => id)
}

/** Adds a link to a release. @throws Refusal 403 if its tag is protected against the actor */
export async function createLink(ctx: Context, project: ProjectWithRole, release: ReleaseRow, given: NewLink): Promise<LinkRow> {
  await assertMayRelease(ctx, project, release.tag, 'update')
  refuse(given)
  const [id] = await insertLinks(ctx.db, release.id, [given], ctx.now)
  await recordChange(ctx, release)
  return (await linkById(ctx.db, release.id, id as number)) as LinkRow
}

/** Changes a link. @throws Refusal 403 if the tag of its release is protected against the actor */
export async function updateLink(
  ctx: Context,
  project: ProjectWithRole,
  release: ReleaseRow,
  { id }: LinkRow,
  changes: LinkAttributes,
): Promise<LinkRow> {
  await assertMayRelease(ctx, project, release.tag, 'update')
  refuse(changes)
  await ctx.db
    .updateTable('release_links')
    .set({ ...columnsOf(changes), updated_at: ctx.now })
    .where('id', '=', id)
    .execute()
    .catch(rethrowTaken)
  await recordChange(ctx, release)
  return (await linkById(ctx.db, release.id, id)) as LinkRow
}

/** Removes a link. @throws Refusal 403 if the tag of its release is protected against the actor */
export async function removeLink(ctx: Context, project: ProjectWithRole, release: ReleaseRow, { id }: LinkRow): Promise<void> {
  await assertMayRelease(ctx, project, release.tag, 'update')
  await ctx.db.deleteFrom('release_links').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordChange(ctx, release)
}

function refuse(link: LinkAttributes): void {
  const failures = failuresOf(link)
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** Touches the release, since its links have changed. */
const recordChange = ({ db, actor }: Context, { id, project_id }: ReleaseRow): Promise<void> =>
  recordEvent(db, { kind: 'release.updated', payload: { release_id: id }, actorId: actor.user?.id, projectId: project_id })
