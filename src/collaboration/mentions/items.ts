/** Items that are named in texts about other items are told of it. */
import type { Context } from '../../platform/kernel/context.ts'
import { type ItemKind, itemKindOf, itemKinds, wordsOf } from '../item_kinds/item_kind.ts'
import { columnOf, type ItemKey, idIn, keyIn, namingOf } from '../item_kinds/kinds.ts'
import type { ItemName } from '../item_kinds/names.ts'
import { referencesOf } from '../item_kinds/references.ts'
import { itemPlaceOf } from '../markdown/links.ts'
import type { MarkdownFacts } from '../markdown/reading.ts'
import { insertNotes, type NewNote } from '../notes/write.ts'
import type { TextPlace } from './text_place.ts'

/** The most items of a kind that one text tells of itself; whoever lists more does not mean them one by one. */
const MOST_ITEMS = 100

type Naming = Pick<MarkdownFacts, 'references' | 'addresses'>

/** How a text names items of a kind, by references and by addresses of this instance. */
function namesIn(url: string, { home }: Pick<TextPlace, 'home'>, { references, addresses }: Naming, kind: ItemKind): ItemName[] {
  const byReference = references
    .filter(reference => reference.kind === kind.noun)
    .map(reference => ({ path: itemPlaceOf(kind, reference, home) as string, iid: Number(reference.name) }))
  return [...byReference, ...addresses.flatMap(address => itemAt(url, address, kind) ?? [])].slice(0, MOST_ITEMS)
}

/** The item of a kind whose page an address is. */
export function itemAt(url: string, address: string, kind: Pick<ItemKind, 'address'>): ItemName | undefined {
  if (!address.startsWith(`${url}/`)) return undefined
  const [, path, iid] = address.slice(url.length + 1).match(kind.address) ?? []
  return path === undefined ? undefined : { path: path.toLowerCase(), iid: Number(iid) }
}

/** Writes a note about each item that a text names and that its author may know of; what names it again says nothing new. */
export async function tellMentioned(ctx: Context, here: TextPlace, facts: Naming): Promise<void> {
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
          body: `mentioned in ${wordsOf(own)} ${referencesOf(own.sigil, here.iid, here.path, path).relative}`,
          ...namingOf(here.key),
          created_at: ctx.now,
        }),
      ),
  )
}
