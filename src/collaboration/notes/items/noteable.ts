/** Noteables: items, commits and snippets as seen by notes, threads, reactions and to-do items. */
import type { Ability, AbilitySubject } from '../../../platform/access/abilities.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { Place } from '../../../platform/access/places.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Scope } from '../../../platform/kernel/declaration/scope.ts'
import type { GroupRow } from '../../../spaces/groups/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import type { NoteableKey, NoteableNoun, NoteableTables } from '../../item_kinds/kinds.ts'

/** A project or group as a subject of abilities. */
type PlaceSubject = Extract<AbilitySubject, { readonly on: 'project' | 'group' }>

/** The fields of an item that notes depend on. */
export interface ItemFacts {
  readonly id: number
  readonly iid: number
  readonly state: string
  readonly author_id: number
  readonly assignee_ids: readonly number[]
  readonly reviewer_ids?: readonly number[]
  readonly label_ids: readonly number[]
  readonly milestone_id?: number | null
  readonly confidential: boolean
  readonly discussion_locked: boolean | null
  /** For items with time tracking, in seconds. */
  readonly time_estimate?: number
  readonly total_time_spent?: number
}

/** The keys of what a note may name: an item, a snippet, or the project of a commit. */
export type NamedKey = NoteableTables['key'] | 'project_id'

/** The ids of what the notes on an item name and an actor may see (named.ts). */
export type VisibleNames = Readonly<Partial<Record<NamedKey, readonly number[]>>>

/** An item, commit or snippet that notes can be written on. Each kind adds its row under its own name. */
export interface Noteable<Facts extends ItemFacts = ItemFacts> {
  readonly noun: NoteableNoun
  /** Its key in the rows that belong to it. */
  readonly key: NoteableKey
  readonly item: Facts
  /** The actor's role in its project or group. */
  readonly role: number
  /** Whether the actor wrote it or is assigned to it. */
  readonly isOwn: boolean
  /** The subject of abilities: its project or group. */
  readonly subject: PlaceSubject
  /** The place of events, to-do items and links: the project, or the group of an epic. */
  readonly place: Place
  /** Set where it was found for several questions about the notes; otherwise each finds it itself. */
  readonly names?: VisibleNames
  /** Its project; undefined for items of a group. */
  readonly project?: ProjectWithRole | undefined
  /** Its group, with the actor's role there; undefined for items of a project. */
  readonly group?: (GroupRow & { readonly role: number }) | undefined
}

/** Did the actor write it, or are they assigned to it? */
export const isOwnItem = (
  { user }: Pick<Actor, 'user'>,
  { author_id, assignee_ids }: Pick<ItemFacts, 'author_id' | 'assignee_ids'>,
): boolean => user !== undefined && (author_id === user.id || assignee_ids.includes(user.id))

/** The properties that noteables of a project share. */
export const noteableInProject = <Facts extends ItemFacts>({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole, item: Facts) => ({
  item,
  role: project.role,
  isOwn: isOwnItem(actor, item),
  subject: projectSubject(project),
  place: { project_id: project.id },
  project,
})

/** The subject of abilities: the project or group of an item, with whether the object is the actor's own. */
export const subjectOf = ({ subject }: Pick<Noteable, 'subject'>, own: boolean): AbilitySubject => ({ ...subject, own })

/** What every scope of a noteable loads. */
export interface InNoteable {
  readonly noteable: Noteable
}

/** A scope that loads a noteable. */
export type NoteableScope = Scope<InNoteable>

/** Declaration of the note endpoints of an item kind. */
export interface NoteableApi {
  /** The path of the item. */
  readonly path: `/${string}`
  /** As in "a note on an issue". */
  readonly noun: string
  readonly scope: NoteableScope
  /** The abilities to read notes, to write them, to change them, to react, and to create a to-do item. */
  readonly can: {
    readonly read: Ability
    readonly say: Ability
    readonly change: Ability
    readonly award: Ability
    readonly mark?: Ability
  }
  readonly tier?: 'premium'
}
