/** Notes that tell an issue of what was done with another one. */
import type { Context } from '../../platform/kernel/context.ts'
import { referencesOf } from '../item_kinds/references.ts'
import { insertNotes } from '../notes/write.ts'

/** An issue, and where it is. */
interface Placed {
  readonly id: number
  readonly iid: number
  readonly project_path: string
}

/** Writes a note about `issue` that names `other`; nothing where nobody in person has done it. */
async function tell({ db, actor, now }: Context, issue: Placed, other: Placed, action: string, words: string): Promise<void> {
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

/** Tells both issues that they are linked. */
export async function tellRelated(ctx: Context, source: Placed, target: Placed, type: keyof typeof relation): Promise<void> {
  await tell(ctx, source, target, 'relate', relation[type][0])
  await tell(ctx, target, source, 'relate', relation[type][1])
}

/** Tells both issues that they are linked no more. */
export async function tellUnrelated(ctx: Context, source: Placed, target: Placed): Promise<void> {
  await tell(ctx, source, target, 'unrelate', 'removed the relation with')
  await tell(ctx, target, source, 'unrelate', 'removed the relation with')
}

/** Tells an issue where it came from. */
export const tellMovedFrom = (ctx: Context, moved: Placed, from: Placed): Promise<void> =>
  tell(ctx, moved, from, 'moved_from', 'moved from')
