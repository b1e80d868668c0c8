/** Items that are talked about: what notes, threads, reactions and to-do items need to know of them. */
import type { Ability, AbilitySubject } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Scope } from '../../platform/kernel/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import type { ItemKey, ItemNoun } from '../item_kinds/kinds.ts'

/** A project or a group as something that abilities are asked about. */
type PlaceSubject = Extract<AbilitySubject, { readonly on: 'project' | 'group' }>

/** What of an item the talk about it depends on. */
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
  /** Of items whose time is tracked, in seconds. */
  readonly time_estimate?: number
  readonly total_time_spent?: number
}

/** An item that is talked about. Each kind adds its row under its own name. */
export interface Noteable<Facts extends ItemFacts = ItemFacts> {
  readonly noun: ItemNoun
  /** The item as the rows that hang on it name it. */
  readonly key: ItemKey
  readonly item: Facts
  /** The actor's role in its project or group. */
  readonly role: number
  /** The actor wrote it, or it is assigned to them. */
  readonly isOwn: boolean
  /** What abilities are asked about: its project or group. */
  readonly subject: PlaceSubject
  /** Where events, to-do items and links are: the project, or the group of an epic. */
  readonly place: Place
  /** Its project; undefined for what is in a group. */
  readonly project?: ProjectWithRole | undefined
}

/** Did the actor write it, or is it assigned to them? */
export const isOwnItem = (
  { user }: Pick<Actor, 'user'>,
  { author_id, assignee_ids }: Pick<ItemFacts, 'author_id' | 'assignee_ids'>,
): boolean => user !== undefined && (author_id === user.id || assignee_ids.includes(user.id))

/** What every item of a project has as something that is talked about. */
export const noteableInProject = <Facts extends ItemFacts>({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole, item: Facts) => ({
  item,
  role: project.role,
  isOwn: isOwnItem(actor, item),
  subject: projectSubject(project),
  place: { project_id: project.id },
  project,
})

/** What abilities are asked about: the project or group of an item, and whether something there is the actor's own. */
export const subjectOf = ({ subject }: Pick<Noteable, 'subject'>, own: boolean): AbilitySubject => ({ ...subject, own })

/** What every scope of something that is talked about gives. */
export interface InNoteable {
  readonly noteable: Noteable
}

/** Where there is something to talk about. */
export type NoteableScope = Scope<InNoteable>

/** How the endpoints for the talk about items of a kind are declared. */
export interface NoteableApi {
  /** The address of the item. */
  readonly path: `/${string}`
  /** As in "a note about an issue". */
  readonly noun: string
  readonly scope: NoteableScope
  /** The abilities to read it, to say something, to change what was said, to react and to mark it as something to do. */
  readonly can: { readonly read: Ability; readonly say: Ability; readonly change: Ability; readonly award: Ability; readonly mark: Ability }
  readonly tier?: 'premium'
}
