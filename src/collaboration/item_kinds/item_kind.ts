/**
 * The description of an item kind: issue, merge request or epic; and of what else notes can be on: commits and snippets. Each kind is one object in its
 * own folder (`kind.ts`), listed in src/server/item_kinds.ts. Code that works on items of any kind reads what it needs from here.
 */

import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { KnownMemberships } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/declaration/port.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { TextPlace } from '../mentions/text_place.ts'
import type { Noteable, NoteableApi } from '../notes/items/noteable.ts'
import type { Writing } from '../quick_actions/action.ts'
import type { TimesOfKind } from '../time_tracking/time_stats.ts'
import {
  type AwardableKey,
  columnOf,
  type ItemKey,
  type ItemNoun,
  type ItemTables,
  type ItemType,
  type NoteableKey,
  type NoteableNoun,
  type NoteableTables,
  type NoteableType,
  type TodoKey,
} from './kinds.ts'
import type { ItemName, Reader } from './names.ts'
import type { Replacement } from './replacements.ts'

/** What a text names and its reader may see. */
export interface NamedItem extends ItemName {
  readonly id: number
  readonly title: string
  /** Of an item. */
  readonly state?: string
  /** For items of a project. */
  readonly project_id?: number
}

/** Changes of an item that are kept as resource events. */
export type ItemFact = 'state' | 'label' | 'milestone' | 'iteration' | 'weight'

/** The fields that the JSON of every item has. */
export interface AnsweredItem {
  readonly title: string
  readonly web_url: string
}

/** How an item is presented as a part of another response. */
export interface ItemAnswer {
  readonly schema: TSchema
  /** The items that the reader may see, by id. */
  visibleById(ctx: Context, ids: readonly number[]): Promise<Map<number, unknown>>
  /** Loads what a page of items is presented with. */
  load(ctx: Context, rows: readonly unknown[]): Promise<unknown>
  present(row: unknown, loaded: unknown, facts: Facts): AnsweredItem
}

/** A kind of what notes can be on. */
export interface NoteableKind extends NoteableTables {
  readonly noun: NoteableNoun
  /** Its name in responses, such as `noteable_type`. */
  readonly type: NoteableType
  /** Whether it belongs to a project or a group. */
  readonly within: 'project' | 'group'
  /** How it is presented within to-do items, if it has any. */
  readonly answer?: ItemAnswer
  /** The `from` clause of statements that use `visible` as a condition. */
  readonly from: string
  /** Whether threads on it can be resolved. */
  readonly resolvable: boolean
  /**
   * May the actor see it? A condition on its rows.
   * @param inProject a condition on the projects to search
   * @param known the actor's memberships, if they are loaded
   */
  visible(actor: Actor, inProject?: RawBuilder<boolean>, known?: KnownMemberships): RawBuilder<boolean>
  /** Declaration of the note endpoints; `notesApi` for notes, threads and resource events. */
  readonly api: NoteableApi
  readonly notesApi: NoteableApi
  /** The ability to read internal notes. */
  readonly readInternal: Ability
  /** How quick actions in texts are applied, if the kind has any. */
  readonly writing?: Writing
  /** The place of its texts. */
  textPlace(noteable: Noteable): TextPlace
  /** Counts added or deleted user notes. */
  countNotes(db: Db, id: number, change: number, now: Date): Promise<void>
  /** The noteable that a first note can belong to. For kinds that have a row only once something is said about them. */
  begin?(ctx: Context, noteable: Noteable): Promise<Noteable>
}

/** A kind that to-do items can be about. */
export interface TodoKind extends NoteableKind {
  readonly key: Exclude<NoteableTables['key'], 'snippet_id'>
  readonly answer: ItemAnswer
}

/** A kind that texts name by a sign and a number. */
export interface NamedKind extends NoteableKind {
  readonly noun: Exclude<NoteableNoun, 'commit'>
  /** The sign in references: `#3`. */
  readonly sigil: '#' | '!' | '&' | '$'
  /** The path of its page, by the path of its project or group and its number. */
  pageOf(path: string, iid: number): string
  /** The named ones that the reader may see. One statement. */
  named(reader: Reader, names: readonly ItemName[]): Promise<NamedItem[]>
  /** Counts an added or removed reaction; only thumbs are counted. */
  countAward(db: Db, id: number, name: string, change: number): Promise<void>
}

/** A kind of item. */
export interface ItemKind extends ItemTables, NamedKind {
  readonly table: ItemTables['table']
  readonly key: ItemTables['key']
  readonly noun: ItemNoun
  readonly type: ItemType
  readonly answer: ItemAnswer
  readonly writing: Writing
  readonly sigil: '#' | '!' | '&'
  /** Matches the paths of its pages on this instance, relative to the URL of the instance. */
  readonly address: RegExp
  /** The changes of its items that are kept as resource events. */
  readonly facts: readonly ItemFact[]
  /** How tracked time is stored, if the kind has it. */
  readonly times?: TimesOfKind
  /** The item with this number of a project as a noteable, if the caller may see it. */
  find?(ctx: Context, project: ProjectWithRole, iid: number): Promise<Noteable | undefined>
  /** Adds the label `to` to all items that have one of the labels `from`, which are about to be deleted. */
  replaceLabels(db: Db, from: readonly number[], to: number): Promise<unknown>
  /** Moves the items of the milestones `from` to `to`. */
  replaceMilestones?(db: Db, from: readonly number[], to: number): Promise<unknown>
  /** Replaces labels on the items of some projects or groups alone. A fixed number of statements. */
  replaceLabelsIn(db: Db, replacements: readonly Replacement[]): Promise<unknown>
  /** Replaces the milestones of the items of some projects alone. A fixed number of statements. */
  replaceMilestonesIn?(db: Db, replacements: readonly Replacement[]): Promise<unknown>
}

/** All item kinds: issues, merge requests and epics, in this order. */
export const itemKinds = new Port<readonly ItemKind[]>('itemKinds')

/** All kinds of what notes can be on: the item kinds, commits and snippets. */
export const noteableKinds = new Port<readonly NoteableKind[]>('noteableKinds')

/** The kinds that texts name by a sign and a number. */
export const namedKinds = (): readonly NamedKind[] => noteableKinds.value.filter((kind): kind is NamedKind => 'named' in kind)

/** The kinds that to-do items can be about. */
export const todoKinds = (): readonly TodoKind[] => noteableKinds.value.filter((kind): kind is TodoKind => kind.answer !== undefined)

/** The kind with this noun. */
export const itemKind = (noun: ItemNoun): ItemKind => itemKinds.value.find(kind => kind.noun === noun) as ItemKind

/** The kind of what notes are on with this noun. */
export const noteableKind = (noun: NoteableNoun): NoteableKind => noteableKinds.value.find(kind => kind.noun === noun) as NoteableKind

/** The kind of the item with this key, and its id. */
export function itemKindOf(key: ItemKey): [kind: ItemKind, id: number]
export function itemKindOf(key: TodoKey): [kind: TodoKind | ItemKind, id: number]
export function itemKindOf(key: AwardableKey): [kind: NamedKind, id: number]
export function itemKindOf(key: NoteableKey): [kind: NoteableKind | ItemKind, id: number]
export function itemKindOf(key: NoteableKey): [kind: NoteableKind | ItemKind, id: number] {
  const [column, id] = columnOf(key)
  return [noteableKinds.value.find(kind => kind.key === column) as NoteableKind, id]
}

/** The noun of a kind in texts: `merge request`. */
export const wordsOf = ({ noun }: Pick<NoteableKind, 'noun'>): string => noun.replaceAll('_', ' ')
