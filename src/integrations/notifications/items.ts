/** Notifications about items: new, changed, merged, approved, commented on, mentioned in. */
import { type ItemKey, type NoteableKey, noteableKeyOf } from '../../collaboration/item_kinds/kinds.ts'
import { type NoteRow, noteById } from '../../collaboration/notes/queries.ts'
import { usersById } from '../../identity/users/queries.ts'
import { labelsById } from '../../planning/labels/queries.ts'
import type { Place } from '../../platform/access/places.ts'
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'
import type { MentioningItem } from '../../platform/events/catalog.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { MailPart } from '../../platform/mail/content.ts'
import type { Noun } from '../../platform/mail/words/catalogue.ts'
import type { Words } from '../../platform/mail/words/words.ts'
import type { CustomEvent } from '../../spaces/notification_settings/levels.ts'
import type { Reason, Standing } from './reasons.ts'
import { findSubject, guardOf, type Subject } from './subjects.ts'
import { isBlank, written } from './texts.ts'
import { type Happening, type Message, notify } from './write.ts'

/** The event that mails follow from. */
export interface Cause {
  readonly id: number
  readonly actorId: number | null
  readonly place: Place
  /** Of what is no event: what makes the ids of its mails differ. Mail programs show one of those with the same id. */
  readonly thread?: string
}

/** The name of who did it. */
async function actorOf({ db }: Context, { actorId }: Cause): Promise<string> {
  const user = actorId === null ? undefined : (await usersById(db, [actorId])).get(actorId)
  return user?.name ?? 'Ingot'
}

/** What a mail about an item says besides what all of them have. */
interface Said {
  readonly kind: string
  /** What it is about, in sentences. */
  readonly says: (words: Words, subject: Subject) => readonly MailPart[]
  /** Texts of people that it shows, below the sentences. */
  readonly shows?: (subject: Subject) => Promise<readonly MailPart[]>
  /** It is the first mail about the item. */
  readonly isNew?: true
  readonly note?: Pick<NoteRow, 'id' | 'confidential' | 'discussion_id'>
  /** The note was mailed before: this is another mail about it. */
  readonly isAgain?: true
  /** Ids of mails of the thread that it follows, after the first one. */
  readonly after?: readonly string[]
}

async function messageAbout(
  ctx: Context,
  cause: Cause,
  key: NoteableKey,
  { kind, says, shows, isNew, note, isAgain, after = [] }: Said,
): Promise<Message | undefined> {
  const subject = await findSubject(ctx, key)
  if (!subject) return undefined
  const { placeName, title, reference, what, url, thread, headers, text } = subject
  const internal = note?.confidential === true
  const line = `${placeName} | ${title} (${reference})`
  const shown = (await shows?.(subject)) ?? []
  return {
    kind,
    says: words => ({
      subject: isNew ? line : `Re: ${line}`,
      parts: [...says(words, subject), ...shown, { action: words.say('item.view'), url: note ? `${url}#note_${note.id}` : url }],
    }),
    about: guardOf(key, note),
    thread: isNew
      ? { id: thread, follows: [] }
      : { id: note && !isAgain ? `note_${note.id}` : `${thread}_${cause.thread ?? `event_${cause.id}`}`, follows: [thread, ...after] },
    headers: { ...headers, ...(note && { 'X-GitLab-Discussion-ID': note.discussion_id }) },
    what,
    item: key,
    noteId: note?.id,
    readers: ids => text.readers(ctx, ids, internal),
  }
}

/** What follows from an event of an item, with the usual values. */
const happeningOf = (cause: Cause, key: NoteableKey, own: Partial<Happening>): Happening => ({
  key: `event:${cause.id}`,
  place: cause.place,
  item: key,
  actorId: cause.actorId,
  audience: 'everyone',
  events: [],
  named: [],
  labelIds: [],
  members: false,
  ...own,
})

/** The description as a part of a mail, where there is one. */
const descriptionOf = async ({ url }: Context, subject: Subject): Promise<readonly MailPart[]> =>
  isBlank(subject.description) ? [] : [await written(url, subject, subject.description as string)]

const newEvent = (key: ItemKey): CustomEvent => ('issue_id' in key ? 'new_issue' : 'epic_id' in key ? 'new_epic' : 'new_merge_request')

/** An item was made. */
export async function itemCreated(ctx: Context, cause: Cause, key: ItemKey, labelIds: readonly number[]): Promise<void> {
  await notify(ctx, happeningOf(cause, key, { events: [newEvent(key)], text: { noteId: null }, labelIds }), async () => {
    const name = await actorOf(ctx, cause)
    return messageAbout(ctx, cause, key, {
      kind: 'new_item',
      isNew: true,
      says: ({ say }, { what, reference, title }) => [say('item.opened', { name, what, reference, title })],
      shows: subject => descriptionOf(ctx, subject),
    })
  })
}

type Ids = { readonly from: readonly number[]; readonly to: readonly number[] }

const added = (change: ChangeSet[string] | undefined): readonly number[] => {
  const { from, to } = (change ?? { from: [], to: [] }) as Ids
  return to.filter(id => !from.includes(id))
}

const removed = (change: ChangeSet[string] | undefined): readonly number[] => {
  const { from, to } = (change ?? { from: [], to: [] }) as Ids
  return from.filter(id => !to.includes(id))
}

const as = (ids: readonly number[], reason: Standing) => ids.map(id => [id, reason] as const)

/** An item was closed, reopened, assigned, labeled or pushed to. */
export async function itemChanged(ctx: Context, cause: Cause, key: ItemKey, changes: ChangeSet): Promise<void> {
  const { state, assignees, reviewers, labels, head_sha } = changes
  const noun = 'issue_id' in key ? 'issue' : 'epic_id' in key ? undefined : 'merge_request'
  const moved = state?.to === 'closed' ? 'closed' : state?.from === 'closed' && state.to === 'opened' ? 'reopened' : undefined
  const labelIds = added(labels)
  if (!moved && !assignees && !head_sha && added(reviewers).length + labelIds.length === 0) return
  const events: CustomEvent[] =
    noun === undefined
      ? []
      : [
          ...(moved === 'closed' ? [`close_${noun}` as const] : moved === 'reopened' ? [`reopen_${noun}` as const] : []),
          ...(assignees || reviewers ? [`reassign_${noun}` as const] : []),
          ...(head_sha ? (['push_to_merge_request'] as const) : []),
        ]
  const happening = happeningOf(cause, key, {
    audience: moved || assignees ? 'everyone' : head_sha ? 'participants' : 'named',
    events,
    named: [...as(added(reviewers), 'review_requested'), ...as(added(assignees), 'assigned'), ...as(removed(assignees), 'participating')],
    labelIds,
  })
  await notify(ctx, happening, async () => {
    const name = await actorOf(ctx, cause)
    const people = await usersById(ctx.db, [...new Set([...added(reviewers), ...added(assignees), ...removed(assignees)])])
    const namesOf = (ids: readonly number[]) => ids.flatMap(id => people.get(id)?.name ?? [])
    const labelNames = await namesOfLabels(ctx, labelIds)
    return messageAbout(ctx, cause, key, {
      kind: 'changed_item',
      says: ({ say, list }, subject) => {
        const about = { name, what: subject.what, reference: subject.reference }
        /** A sentence about people, if there are any. */
        const ofPeople = (which: 'item.assigned' | 'item.unassigned' | 'item.review_asked', ids: readonly number[]) =>
          ids.length === 0 ? [] : [say(which, { ...about, people: list(namesOf(ids)) })]
        return [
          ...(moved ? [say(moved === 'closed' ? 'item.closed' : 'item.reopened', about)] : []),
          ...ofPeople('item.assigned', added(assignees)),
          ...ofPeople('item.unassigned', removed(assignees)),
          ...ofPeople('item.review_asked', added(reviewers)),
          ...(head_sha
            ? [say('item.pushed', about), { facts: { [say('fact.before')]: short(head_sha.from), [say('fact.now')]: short(head_sha.to) } }]
            : []),
          ...(labelNames.length > 0 ? [say('item.labeled', { ...about, labels: list(labelNames.map(label => `~${label}`)) })] : []),
        ]
      },
    })
  })
}

const short = (id: unknown): string | undefined => (typeof id === 'string' ? id.slice(0, 8) : undefined)

async function namesOfLabels({ db }: Context, ids: readonly number[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const labels = await labelsById(db, ids)
  return ids.flatMap(id => labels.get(id)?.name ?? [])
}

/** Something that has a sentence and nothing else. */
export async function itemNews(
  ctx: Context,
  cause: Cause,
  key: ItemKey,
  news: {
    readonly says: (words: Words, about: { readonly name: string; readonly what: Noun; readonly reference: string }) => string
    readonly kind: string
    readonly events?: readonly CustomEvent[]
    readonly only?: readonly Reason[]
    readonly key?: string
  },
): Promise<void> {
  const own = {
    events: news.events ?? [],
    ...(news.only && { only: news.only, audience: 'participants' as const }),
    ...(news.key !== undefined && { key: news.key }),
  }
  await notify(ctx, happeningOf(cause, key, own), async () => {
    const name = await actorOf(ctx, cause)
    return messageAbout(ctx, cause, key, {
      kind: news.kind,
      says: (words, { what, reference }) => [news.says(words, { name, what, reference })],
    })
  })
}

/** The id of the first mail of a discussion, where the note answers one. */
async function discussionBefore({ db }: Context, { id, discussion_id }: NoteRow): Promise<readonly string[]> {
  const first = await db
    .selectFrom('notes')
    .select('id')
    .where('discussion_id', '=', discussion_id)
    .where('id', '<', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first ? [`note_${first.id}`] : []
}

interface Placed {
  readonly new_path?: string
  readonly old_path?: string
  readonly new_line?: number | null
  readonly old_line?: number | null
}

/** Where a note on a difference stands. */
function fileOf({ position }: NoteRow): string | undefined {
  const { new_path, old_path, new_line, old_line } = (position ?? {}) as Placed
  const path = new_path ?? old_path
  return path && `${path}:${new_line ?? old_line ?? 1}`
}

/** Where a note stands, in the words of a mail. */
function placed({ say }: Words, note: NoteRow): readonly MailPart[] {
  const file = fileOf(note)
  return file === undefined ? [] : [{ facts: { [say('fact.on')]: file } }]
}

/** The text of a note as a part of a mail. */
const bodyOf = async ({ url }: Context, subject: Subject, note: NoteRow): Promise<readonly MailPart[]> => [
  await written(url, subject, note.body),
]

/** A note was written. */
export async function noteCreated(ctx: Context, cause: Cause, noteId: number): Promise<void> {
  const note = await noteById(ctx.db, noteId)
  if (!note) return
  const key = noteableKeyOf(note)
  await notify(ctx, happeningOf(cause, key, { events: ['new_note'], text: { noteId } }), async () => {
    const name = await actorOf(ctx, cause)
    const after = await discussionBefore(ctx, note)
    return messageAbout(ctx, cause, key, {
      kind: 'note',
      note,
      after,
      says: (words, { what, reference }) => [
        words.say(after.length > 0 ? 'item.answered' : 'item.commented', { name, what, reference }),
        ...placed(words, note),
      ],
      shows: subject => bodyOf(ctx, subject, note),
    })
  })
}

/** A text that was edited mentions other people than before. */
export async function mentionAdded(
  ctx: Context,
  cause: Cause,
  {
    item: key,
    note_id,
    user_ids,
  }: { readonly item: MentioningItem; readonly note_id: number | null; readonly user_ids: readonly number[] },
): Promise<void> {
  const note = note_id === null ? undefined : await noteById(ctx.db, note_id)
  if (note_id !== null && !note) return
  await notify(ctx, happeningOf(cause, key, { audience: 'named', named: as(user_ids, 'mentioned') }), async () => {
    const name = await actorOf(ctx, cause)
    return messageAbout(ctx, cause, key, {
      kind: 'mention',
      ...(note && { note, isAgain: true, after: [`note_${note.id}`] }),
      says: (words, { what, reference }) => [
        words.say(note ? 'item.mentioned_in_comment' : 'item.mentioned_in_description', { name, what, reference }),
        ...(note ? placed(words, note) : []),
      ],
      shows: subject => (note ? bodyOf(ctx, subject, note) : descriptionOf(ctx, subject)),
    })
  })
}
