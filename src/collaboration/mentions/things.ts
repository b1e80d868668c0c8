/** Things that are named in texts about other things are told of it. */
import type { Context } from '../../platform/kernel/context.ts'
import { columnOf } from '../item_kinds/kinds.ts'
import { referencesOf } from '../item_kinds/references.ts'
import { placeOf } from '../markdown/links.ts'
import { epicsNamed, issuesNamed, mergeRequestsNamed, type ThingName } from '../markdown/named.ts'
import type { MarkdownFacts } from '../markdown/reading.ts'
import { insertNotes, type NewNote } from '../notes/write.ts'
import type { Here } from './where.ts'

/** The most things of a kind that one text tells of itself; whoever lists more does not mean them one by one. */
const MOST_THINGS = 100

type Naming = Pick<MarkdownFacts, 'references' | 'addresses'>
type Kind = 'issue' | 'merge_request' | 'epic'

/** How a text names things of a kind, by references and by addresses of this instance. */
function namesIn(url: string, { home }: Pick<Here, 'home'>, { references, addresses }: Naming, kind: Kind): ThingName[] {
  const pathOf = (reference: Naming['references'][number]) =>
    kind === 'epic' ? (reference.place ?? home.namespace_full_path).toLowerCase() : (placeOf(reference, home) as string)
  const byReference = references
    .filter(reference => reference.kind === kind)
    .map(reference => ({ path: pathOf(reference), iid: Number(reference.name) }))
  return [...byReference, ...addresses.flatMap(address => thingAt(url, address, kind) ?? [])].slice(0, MOST_THINGS)
}

const addressForms: Readonly<Record<Kind, RegExp>> = {
  issue: /^(.+?)\/(?:-\/)?issues\/(?:incident\/)?(\d{1,15})(?:[/?#].*)?$/,
  merge_request: /^(.+?)\/(?:-\/)?merge_requests\/(\d{1,15})(?:[/?#].*)?$/,
  epic: /^groups\/(.+?)\/-\/epics\/(\d{1,15})(?:[/?#].*)?$/,
}

/** The thing whose page an address is. */
export function thingAt(url: string, address: string, kind: Kind): ThingName | undefined {
  if (!address.startsWith(`${url}/`)) return undefined
  const [, path, iid] = address.slice(url.length + 1).match(addressForms[kind]) ?? []
  return path === undefined ? undefined : { path: path.toLowerCase(), iid: Number(iid) }
}

/** Writes a note about each thing that a text names and that its author may know of; what names it again says nothing new. */
export async function tellMentioned(ctx: Context, here: Here, facts: Naming): Promise<void> {
  const authorId = ctx.actor.user?.id
  if (authorId === undefined) return
  const names = (kind: Kind) => namesIn(ctx.url, here, facts, kind)
  const found = [
    ...(await issuesNamed(ctx, names('issue'))).map(({ id, path }) => ({ key: { issue_id: id }, path })),
    ...(await mergeRequestsNamed(ctx, names('merge_request'))).map(({ id, path }) => ({ key: { merge_request_id: id }, path })),
    ...(await epicsNamed(ctx, names('epic'))).map(({ id, path }) => ({ key: { epic_id: id }, path })),
  ]
  const [column, id] = columnOf(here.key)
  const isItself = (key: object) => (key as Record<string, number>)[column] === id
  await insertNotes(
    ctx.db,
    found
      .filter(({ key }) => !isItself(key))
      .map(
        ({ key, path }): NewNote => ({
          ...key,
          author_id: authorId,
          action: 'mention',
          body: `mentioned in ${here.noun} ${referencesOf(here.sign, here.iid, here.path, path).relative}`,
          ...here.named,
          created_at: ctx.now,
        }),
      ),
  )
}
