/**
 * Mentions in what people write about items: people who are named take part in them and have something to do, and
 * items that are named are told of it, once. In the transaction that keeps the text.
 */
import type { Context } from '../../platform/kernel/context.ts'
import { readMarkdown } from '../markdown/reading.ts'
import { addTodos } from '../todos/write.ts'
import { tellMentioned } from './items.ts'
import { peopleNamed } from './people.ts'
import type { TextPlace } from './text_place.ts'
import { keepMentions } from './write.ts'

/** Which text of the item it is. */
export interface Written {
  /** What was said; the description of the item unless given. */
  readonly note?: { readonly id: number; readonly confidential: boolean }
  /** The text is in place of another. */
  readonly isEdit?: boolean
}

/** Nothing is mentioned in a text without any of these. */
const signs = /[@#!&]|\/(?:issues|merge_requests|epics)\/(?:incident\/)?\d/

/** May a text mention anybody or anything? Known without reading it as Markdown. */
export const mayMention = (text: string): boolean => signs.test(text)

/** Notices whom and what a text mentions. */
export async function noticeMentions(
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
  const fresh = await keepMentions(db, { ...here.key, note_id: note?.id ?? null }, readers, isEdit)
  const others = fresh.filter(id => id !== actor.user?.id)
  const addressed = addressedIn(text ?? '')
  const isAddressed = (id: number) => named.some(person => person.id === id && addressed.has(person.as.toLowerCase()))
  const todo = { ...here.key, ...here.place, note_id: note?.id, author_id: actor.user.id }
  await addTodos(db, { ...todo, action: 'directly_addressed', user_ids: others.filter(isAddressed) }, now)
  await addTodos(db, { ...todo, action: 'mentioned', user_ids: others.filter(id => !isAddressed(id)) }, now)
  // What is between few is not told elsewhere.
  if (facts && !note?.confidential) await tellMentioned(ctx, here, facts)
}

/** The names, in lower case, that a text begins with: it speaks to them. */
function addressedIn(text: string): ReadonlySet<string> {
  const [beginning = ''] = text.match(/^\s*(?:@[\w./-]+[\s,:;]*(?:(?:and|&)\s+)?)+/i) ?? []
  return new Set([...beginning.matchAll(/@([\w./-]*[\w])/g)].map(match => (match[1] as string).toLowerCase()))
}
