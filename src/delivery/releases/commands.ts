/** Writes of releases. */

import { sql } from 'kysely'
import { refused } from '../../code/repository/refusals.ts'
import { createTag } from '../../code/repository/tags/commands.ts'
import { peelTag } from '../../code/repository/tags/queries.ts'
import { type Replacement, replacementRows } from '../../collaboration/item_kinds/replacements.ts'
import { milestonesMatching } from '../../planning/milestones/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { conflict, unprocessable } from '../../platform/kernel/errors.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { askForEvidence } from './evidences/commands.ts'
import { assertDistinctLinks, insertLinks, type NewLink } from './links/commands.ts'
import { assertMayRelease } from './protection.ts'
import { type ReleaseRow, releaseById, releaseOfTag } from './queries.ts'

export interface ReleaseAttributes {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  /** Titles; they replace the release's milestones. */
  readonly milestones?: readonly string[] | undefined
  /** An instant. */
  readonly released_at?: string | undefined
}

export interface NewRelease extends ReleaseAttributes {
  readonly tag_name: string
  /** A branch, tag or commit: what a missing tag is created from. */
  readonly ref?: string | undefined
  readonly links: readonly NewLink[]
}

/** The ids of the milestones with these titles: the project's, and with premium those of the groups above; 400 for an unknown one. */
async function milestoneIdsOf({ db, tier }: Context, project: ProjectWithRole, titles: readonly string[]): Promise<number[]> {
  const above = tierCovers(tier, 'premium') && project.namespace_kind === 'group' ? project.namespace_traversal_ids : []
  const place: PlanningPlace = { noun: 'project', id: project.id, key: { project_id: project.id }, above, full_path: project.full_path }
  const found = await milestonesMatching(db, place, { include_parent_milestones: true })
    .where('milestones.title', 'in', titles.length === 0 ? [''] : titles)
    .execute()
  const missing = titles.filter(title => !found.some(milestone => milestone.title === title))
  if (missing.length > 0) throw refused(`Milestone(s) not found: ${missing.join(', ')}`)
  return found.map(({ id }) => id)
}

async function setMilestones(db: Db, releaseId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('release_milestones').where('release_id', '=', releaseId).execute()
  if (ids.length === 0) return
  const rows = ids.map(milestone_id => ({ release_id: releaseId, milestone_id }))
  await db.insertInto('release_milestones').values(rows).execute()
}

/** Replaces milestones of the releases of some projects alone. */
export async function replaceMilestonesOfReleasesIn(db: Db, replacements: readonly Replacement[]): Promise<void> {
  await sql`insert into release_milestones (release_id, milestone_id)
    select m.release_id, r.to_id from ${replacementRows(replacements)}
      join releases on releases.project_id = r.project_id
      join release_milestones m on m.release_id = releases.id and m.milestone_id = r.from_id
    on conflict do nothing`.execute(db)
  await sql`delete from release_milestones using releases, ${replacementRows(replacements)}
    where releases.id = release_milestones.release_id and releases.project_id = r.project_id
      and release_milestones.milestone_id = r.from_id`.execute(db)
}

const taken = () => conflict('Release already exists', { tag_name: ['has a release already'] })

/** The constraint decides between concurrent releases of the same tag. */
function rethrowTaken(error: unknown): never {
  throw uniqueViolation(error) === undefined ? error : taken()
}

/** Releases a tag; a missing tag is created from `ref`. Must not be called inside a transaction: a tag may move. */
export async function createRelease(ctx: Context, project: ProjectWithRole, wanted: NewRelease): Promise<ReleaseRow> {
  const { tag_name: tag, links } = wanted
  await assertMayRelease(ctx, project, tag, 'create')
  if (await releaseOfTag(ctx.db, project.id, tag)) throw taken()
  assertDistinctLinks(links)
  const milestoneIds = await milestoneIdsOf(ctx, project, wanted.milestones ?? [])
  const sha = await ensureTag(ctx, project, wanted)
  return transact(ctx.deps.database.db, async db => {
    const { id } = await db
      .insertInto('releases')
      .values({
        project_id: project.id,
        tag,
        name: wanted.name || tag,
        description: wanted.description ?? null,
        sha,
        author_id: ctx.actor.user?.id ?? null,
        released_at: wanted.released_at ?? ctx.now,
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch(rethrowTaken)
    await insertLinks(db, id, links, ctx.now)
    await setMilestones(db, id, milestoneIds)
    const release = (await releaseById(db, id)) as ReleaseRow
    // Contract: no evidence is collected for a release whose date was in the past at its creation (release evidence, 14.0).
    if (new Date(release.released_at) >= ctx.now) await askForEvidence(db, release)
    await record(db, ctx, 'release.created', release)
    return release
  })
}

/** The commit of the tag, which is created if it is missing; 422 without a `ref` to create it from. */
async function ensureTag(ctx: Context, project: ProjectWithRole, { tag_name, ref }: NewRelease): Promise<string> {
  const repository = await findRepository(ctx.deps.storages, project)
  const existing = repository && (await peelTag(repository, tag_name))
  if (existing) return existing.commit
  if (!ref) throw unprocessable('Ref is not specified')
  return (await createTag(ctx, project, repository, { tag_name, ref })).commit
}

/** Changes a release. */
export async function updateRelease(
  ctx: Context,
  project: ProjectWithRole,
  { id, tag }: ReleaseRow,
  { milestones, ...changes }: ReleaseAttributes,
): Promise<ReleaseRow> {
  if (milestones === undefined && Object.values(changes).every(value => value === undefined)) throw refused('params is empty')
  await assertMayRelease(ctx, project, tag, 'update')
  const { name, description, released_at } = changes
  await ctx.db
    .updateTable('releases')
    .set({
      ...(name !== undefined && { name: name || tag }),
      ...(description !== undefined && { description }),
      ...(released_at !== undefined && { released_at }),
      updated_at: ctx.now,
    })
    .where('id', '=', id)
    .execute()
  if (milestones !== undefined) await setMilestones(ctx.db, id, await milestoneIdsOf(ctx, project, milestones))
  const release = (await releaseById(ctx.db, id)) as ReleaseRow
  if (released_at !== undefined && new Date(release.released_at) > ctx.now) await askForEvidence(ctx.db, release)
  await record(ctx.db, ctx, 'release.updated', release)
  return release
}

/** Removes a release; its tag stays. */
export async function removeRelease(ctx: Context, project: ProjectWithRole, release: ReleaseRow): Promise<void> {
  await assertMayRelease(ctx, project, release.tag, 'delete')
  await dropRelease(ctx.db, ctx, release)
}

/** Removes a release with its links and evidences. */
export async function dropRelease(db: Db, ctx: Context, { id, tag, project_id }: ReleaseRow): Promise<void> {
  await db.deleteFrom('releases').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(
    { ...ctx, db },
    { kind: 'release.deleted', payload: { release_id: id, tag }, actorId: ctx.actor.user?.id, projectId: project_id },
  )
}

const record = (db: Db, { actor }: Context, kind: 'release.created' | 'release.updated', { id, project_id }: ReleaseRow): Promise<void> =>
  recordEvent(db, { kind, payload: { release_id: id }, actorId: actor.user?.id, projectId: project_id })
