/**
 * Processes mentions in texts about items, in the transaction that stores the text: mentioned users become participants and get a
 * to-do item, and mentioned items get one note.
 */
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { readMarkdown } from '../markdown/reading.ts'
import { addTodos } from '../todos/write.ts'
import { addCrossReferences } from './items.ts'
import { peopleNamed } from './people.ts'
import type { TextPlace } from './text_place.ts'
import { storeMentions } from './write.ts'

/** Identifies the text of the item. */
export interface Written {
  /** The note; the description of the item if not given. */
  readonly note?: { readonly id: number; readonly confidential: boolean }
  /** The text replaces an earlier version. */
  readonly isEdit?: boolean
}

/** A text without any of these has no mentions. */
const signs = /[@#!&]|\/(?:issues|merge_requests|epics)\/(?:incident\/)?\d/

/** May a text mention users or items? A quick check without parsing Markdown. */
export const mayMention = (text: string): boolean => signs.test(text)

/**
 * Reads the mentions in a text that will be processed. For commands, before they write or lock anything: a long text is read outside of their
 * transaction, which begins again then (`outsideTransaction`).
 */
export async function readMentions(text: string | null | undefined): Promise<void> {
  if (text != null && mayMention(text)) await readMarkdown(text)
}

/** Processes the mentions in a text. */
export async function processMentions(
  ctx: Context,
  here: TextPlace,
  text: string | null,
  { note, isEdit = false }: Written = {},
): Promise<void> {
  const { db, actor, now } = ctx
  const isMentioning = text !== null && mayMention(text)
  if (!actor.user || (!isMentioning && !isEdit)) return
  const facts = isMentioning ? await readMarkdown(text) : undefined
  const named = facts ? await peopleNamed(ctx, here.members, facts.references) : []
  const readers = await here.readers(
    ctx,
    named.map(({ id }) => id),
    note?.confidential === true,
  )
  const fresh = await storeMentions(db, { ...here.key, note_id: note?.id ?? null }, readers, isEdit)
  const others = fresh.filter(id => id !== actor.user?.id)
  if (isEdit && fresh.length > 0)
    await recordEvent(db, {
      kind: 'mention.added',
      payload: { item: here.key, note_id: note?.id ?? null, user_ids: fresh },
      actorId: actor.user.id,
      ...('project_id' in here.place ? { projectId: here.place.project_id } : { namespaceId: here.place.namespace_id }),
    })
  const addressed = addressedIn(text ?? '')
  const isAddressed = (id: number) => named.some(person => person.id === id && addressed.has(person.as.toLowerCase()))
  const todo = { ...here.key, ...here.place, note_id: note?.id, author_id: actor.user.id }
  await addTodos(db, { ...todo, action: 'directly_addressed', user_ids: others.filter(isAddressed) }, now)
  await addTodos(db, { ...todo, action: 'mentioned', user_ids: others.filter(id => !isAddressed(id)) }, now)
  // Confidential notes leave no traces elsewhere.
  if (facts && !note?.confidential) await addCrossReferences(ctx, here, facts)
}

/** The lower-case usernames at the start of a text, which address these users directly. */
function addressedIn(text: string): ReadonlySet<string> {
  const [beginning = ''] = text.match(/^\s*(?:@[\w./-]+[\s,:;]*(?:(?:and|&)\s+)?)+/i) ?? []
  return new Set([...beginning.matchAll(/@([\w./-]*[\w])/g)].map(match => (match[1] as string).toLowerCase()))
}
