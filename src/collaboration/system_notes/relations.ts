/** System notes on an issue about actions on another one. */
import type { Context } from '../../platform/kernel/context.ts'
import { referencesOf } from '../item_kinds/references.ts'
import { insertNotes } from '../notes/writing/write.ts'

/** An issue and its place. */
interface Placed {
  readonly id: number
  readonly iid: number
  readonly project_path: string
}

/** Writes a note on `issue` that names `other`; none if the action has no user. */
async function writeNote({ db, actor, now }: Context, issue: Placed, other: Placed, action: string, words: string): Promise<void> {
  if (!actor.user) return
  const name = referencesOf('#', other.iid, other.project_path, issue.project_path).relative
  await insertNotes(db, [
    { issue_id: issue.id, author_id: actor.user.id, action, body: `${words} ${name}`, named_issue_id: other.id, created_at: now },
  ])
}

const relation = {
  relates_to: ['marked this issue as related to', 'marked this issue as related to'],
  blocks: ['marked this issue as blocking', 'marked this issue as blocked by'],
  is_blocked_by: ['marked this issue as blocked by', 'marked this issue as blocking'],
} as const

/** Writes notes on two issues that were linked. */
export async function noteRelated(ctx: Context, source: Placed, target: Placed, type: keyof typeof relation): Promise<void> {
  await writeNote(ctx, source, target, 'relate', relation[type][0])
  await writeNote(ctx, target, source, 'relate', relation[type][1])
}

/** Writes notes on two issues whose link was removed. */
export async function noteUnrelated(ctx: Context, source: Placed, target: Placed): Promise<void> {
  await writeNote(ctx, source, target, 'unrelate', 'removed the relation with')
  await writeNote(ctx, target, source, 'unrelate', 'removed the relation with')
}

/** Writes a note on a moved issue about its origin. */
export const noteMovedFrom = (ctx: Context, moved: Placed, from: Placed): Promise<void> =>
  writeNote(ctx, moved, from, 'moved_from', 'moved from')
