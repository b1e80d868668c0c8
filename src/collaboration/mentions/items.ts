/** Cross references: a note on each item that a text about another item names. */
import type { Context } from '../../platform/kernel/context.ts'
import { type ItemKind, itemKindOf, itemKinds, type NamedKind, type NoteableKind, wordsOf } from '../item_kinds/item_kind.ts'
import { columnOf, type ItemKey, idIn, keyIn } from '../item_kinds/kinds.ts'
import type { ItemName } from '../item_kinds/names.ts'
import { referencesOf } from '../item_kinds/references.ts'
import { itemPlaceOf } from '../markdown/links.ts'
import type { MarkdownFacts } from '../markdown/reading.ts'
import { insertNotes, type NewNote } from '../notes/writing/write.ts'
import type { TextPlace } from './text_place.ts'

/** Upper bound of the items of a kind that one text leaves notes on; longer lists are not individual mentions. */
const MOST_ITEMS = 100

type Naming = Pick<MarkdownFacts, 'references' | 'addresses'>

/** The items of a kind that a text names, by reference or by URL of this instance. */
function namesIn(url: string, { home }: Pick<TextPlace, 'home'>, { references, addresses }: Naming, kind: ItemKind): ItemName[] {
  const byReference = references
    .filter(reference => reference.kind === kind.noun)
    .map(reference => ({ path: itemPlaceOf(kind, reference, home) as string, iid: Number(reference.name) }))
  return [...byReference, ...addresses.flatMap(address => itemAt(url, address, kind) ?? [])].slice(0, MOST_ITEMS)
}

/** The item of a kind whose page has this URL. */
export function itemAt(url: string, address: string, kind: Pick<ItemKind, 'address'>): ItemName | undefined {
  if (!address.startsWith(`${url}/`)) return undefined
  const [, path, iid] = address.slice(url.length + 1).match(kind.address) ?? []
  return path === undefined ? undefined : { path: path.toLowerCase(), iid: Number(iid) }
}

/** How a note in the project or group `path` names what the text belongs to. */
function namedAs(kind: NoteableKind | ItemKind, here: TextPlace, path: string): Pick<NewNote, 'body'> & Partial<NewNote> {
  if (here.named) {
    const { words, ...naming } = here.named(path)
    return { body: `mentioned in ${words}`, ...naming }
  }
  const { sigil, key } = kind as NamedKind
  return {
    body: `mentioned in ${wordsOf(kind)} ${referencesOf(sigil, here.iid, here.path, path).relative}`,
    [`named_${key}`]: idIn(here.key),
  }
}

/** Adds a note to each item that the text names and its author may see, unless the same item left one before. */
export async function addCrossReferences(ctx: Context, here: TextPlace, facts: Naming): Promise<void> {
  const authorId = ctx.actor.user?.id
  if (authorId === undefined) return
  const found: { key: ItemKey; path: string }[] = []
  for (const kind of itemKinds.value) {
    const named = await kind.named(ctx, namesIn(ctx.url, here, facts, kind))
    found.push(...named.map(({ id, path }) => ({ key: keyIn(kind, id), path })))
  }
  const [own, id] = itemKindOf(here.key)
  const isItself = (key: ItemKey) => columnOf(key)[0] === own.key && idIn(key) === id
  await insertNotes(
    ctx.db,
    found
      .filter(({ key }) => !isItself(key))
      .map(
        ({ key, path }): NewNote => ({
          ...key,
          author_id: authorId,
          action: 'mention',
          ...namedAs(own, here, path),
          created_at: ctx.now,
        }),
      ),
  )
}
