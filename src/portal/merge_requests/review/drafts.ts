/** The caller's drafts of a review, as pages show them. */
import type { Position } from '../../../collaboration/notes/positions/position.ts'
import type { Html } from '../../../platform/pages/html.ts'
import { type DraftRow, draftsOf } from '../../../review/draft_notes/queries.ts'
import { renderTexts } from '../../items/texts.ts'
import type { Caller } from '../page.ts'

/** Drafts that are shown; more are published all the same. */
const MOST = 200

export interface ShownDraft {
  readonly row: DraftRow
  readonly position: Partial<Position>
  readonly body: Html
}

export interface ShownDrafts {
  readonly all: readonly ShownDraft[]
  /** Those that begin a thread. */
  readonly alone: readonly ShownDraft[]
  /** Those that reply, by their thread. */
  readonly replies: ReadonlyMap<string, readonly ShownDraft[]>
}

/** The caller's drafts for a merge request. One statement, and those of the references in their texts. */
export async function loadDrafts(ctx: Caller): Promise<ShownDrafts> {
  const { db, actor, project, mergeRequest } = ctx
  const rows = actor.user ? await draftsOf(db, mergeRequest.id, actor.user.id).limit(MOST).execute() : []
  const bodies = await renderTexts(
    ctx,
    project,
    rows.map(({ note }) => note),
  )
  const all = rows.map((row, index) => ({ row, position: (row.position ?? {}) as Partial<Position>, body: bodies[index] as Html }))
  return {
    all,
    alone: all.filter(({ row }) => row.discussion_id === null),
    replies: Map.groupBy(
      all.filter(({ row }) => row.discussion_id !== null),
      ({ row }) => row.discussion_id as string,
    ),
  }
}
