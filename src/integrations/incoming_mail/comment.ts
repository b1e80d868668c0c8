/** An answer to a notification becomes a comment of its recipient, by the rules of the API. */
import { itemKindOf } from '../../collaboration/item_kinds/item_kind.ts'
import { columnOf } from '../../collaboration/item_kinds/kinds.ts'
import { isLockedFor } from '../../collaboration/notes/items/commenter.ts'
import type { Noteable } from '../../collaboration/notes/items/noteable.ts'
import { type NoteRow, noteById, visibleNote } from '../../collaboration/notes/queries.ts'
import { createNoteWithQuickActions } from '../../collaboration/quick_actions/notes.ts'
import { issueById } from '../../planning/issues/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import type { Noun } from '../../platform/mail/words/catalogue.ts'
import type { Answerable } from '../notifications/reply_address.ts'
import { MailRefused } from './refused.ts'

/** Where an answer goes, for a user who may write there. */
export interface ReplyTarget {
  readonly noteable: Noteable
  /** The note that it answers. */
  readonly note: NoteRow | undefined
  readonly what: Noun
}

const gone = (what: Noun) =>
  new MailRefused(({ say }) => ({ says: say('refused.gone_item', { what }), advice: say('refused.gone_item_advice') }))

/** The item and note that a key is about, as the actor of `ctx` sees them now. @throws MailRefused where the actor may not comment there */
export async function replyTarget(ctx: Context, { item, noteId }: Pick<Answerable, 'item' | 'noteId'>): Promise<ReplyTarget> {
  const { db, actor } = ctx
  const [kind, id] = itemKindOf(item)
  const what = kind.noun
  const path = await pathOf(ctx, item)
  if (!path) throw gone(what)
  const subjects = await kind.api.scope.load(ctx, path as never).catch(error => {
    throw error instanceof Refusal ? gone(what) : error
  })
  const { noteable } = subjects
  const verdict = allows(actor, kind.api.can.say, kind.api.scope.subject(subjects))
  if (verdict === 'hidden') throw gone(what)
  if ('issue_id' in item) await assertNotMoved(ctx, id)
  if (verdict === 'no')
    throw new MailRefused(({ say }) => ({ says: say('refused.no_comment', { what }), advice: say('refused.rights_advice') }))
  if (isLockedFor(actor, noteable)) throw new MailRefused(({ say }) => ({ says: say('refused.locked', { what }) }))
  if (noteId === undefined) return { noteable, note: undefined, what }
  const note = await visibleNote(db, actor, noteable, noteId)
  if (note) return { noteable, note, what }
  // It may have been an internal one: the answer must not stand where others read it.
  const isThere = await noteById(db, noteId)
  throw isThere
    ? gone(what)
    : new MailRefused(({ say }) => ({ says: say('refused.deleted_comment'), advice: say('refused.deleted_comment_advice', { what }) }))
}

/** The path parameters of an item's scope. */
async function pathOf({ db }: Context, item: Answerable['item']): Promise<Readonly<Record<string, string | number>> | undefined> {
  const [column, id] = columnOf(item)
  if (column === 'epic_id') {
    const epic = await db.selectFrom('epics').select(['iid', 'namespace_id']).where('id', '=', id).executeTakeFirst()
    return epic && { id: String(epic.namespace_id), epic_iid: epic.iid }
  }
  const table = column === 'issue_id' ? 'issues' : 'merge_requests'
  const row = await db.selectFrom(table).select(['iid', 'project_id']).where('id', '=', id).executeTakeFirst()
  return row && { id: String(row.project_id), [column === 'issue_id' ? 'issue_iid' : 'merge_request_iid']: row.iid }
}

async function assertNotMoved({ db }: Context, id: number): Promise<void> {
  const issue = await issueById(db, id, null)
  if (issue?.moved_to_id)
    throw new MailRefused(({ say }) => ({ says: say('refused.moved_issue'), advice: say('refused.moved_issue_advice') }))
}

/** Writes the comment, in the transaction of `ctx`. @throws the refusals of the API */
export async function writeReply(ctx: Context, { noteable, note }: ReplyTarget, body: string): Promise<void> {
  const said = await createNoteWithQuickActions(ctx, noteable, { body }, note ? { answering: note } : 'alone')
  if ('summary' in said && Object.keys(said.commands_changes).length === 0 && said.summary[0] === 'No quick action could be applied.')
    throw new MailRefused(({ say }) => ({ says: say('refused.no_action'), advice: say('refused.no_action_advice') }))
}
