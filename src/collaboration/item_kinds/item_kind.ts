/**
 * What the server knows of a kind of item: an issue, a merge request, an epic. Each kind is one object in its own folder (`kind.ts`);
 * src/server/item_kinds.ts holds the list. All that hangs on an item, whatever it is, asks here.
 */
import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { KnownMemberships } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/port.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { TextPlace } from '../mentions/text_place.ts'
import type { Noteable, NoteableApi } from '../notes/noteable.ts'
import type { Writing } from '../quick_actions/action.ts'
import type { TimesOfKind } from '../time_tracking/commands.ts'
import { columnOf, type ItemKey, type ItemNoun, type ItemTables, type ItemType } from './kinds.ts'
import type { ItemName, Reader } from './names.ts'

/** An item that a text names, as far as its reader may know of it. */
export interface NamedItem extends ItemName {
  readonly id: number
  readonly title: string
  /** Of what is in a project. */
  readonly project_id?: number
}

/** What can have changed of an item, as it is kept. */
export type ItemFact = 'state' | 'label' | 'milestone' | 'iteration' | 'weight'

/** What the answer of every item has. */
export interface AnsweredItem {
  readonly title: string
  readonly web_url: string
}

/** How an item is answered within something that is about it. */
export interface ItemAnswer {
  readonly schema: TSchema
  /** Those of these items that the reader may know of, by id. */
  visibleById(ctx: Context, ids: readonly number[]): Promise<Map<number, unknown>>
  /** What a page of them is presented with. */
  load(ctx: Context, rows: readonly unknown[]): Promise<unknown>
  present(row: unknown, loaded: unknown, facts: Facts): AnsweredItem
}

/** A kind of item. */
export interface ItemKind extends ItemTables {
  readonly noun: ItemNoun
  /** Its name in answers, as `noteable_type` and the like have it. */
  readonly type: ItemType
  /** Where items of the kind are. */
  readonly within: 'project' | 'group'
  /** The sign of references to it: `#3`. */
  readonly sigil: '#' | '!' | '&'
  /** How it is answered within to-do items. */
  readonly answer: ItemAnswer
  /** Where its rows come from in a statement that `visible` is a condition of. */
  readonly from: string
  /** The paths of its pages on this instance, below the address of the instance. */
  readonly address: RegExp
  /** Threads about it can be resolved. */
  readonly resolvable: boolean
  /** The path of the page of the item with this number of the project or group. */
  pageOf(path: string, iid: number): string
  /**
   * May the actor know of the item? A condition on its rows.
   * @param inProject a condition on the projects that are looked at
   * @param known the actor's memberships, where they were found before
   */
  visible(actor: Actor, inProject?: RawBuilder<boolean>, known?: KnownMemberships): RawBuilder<boolean>
  /** The items that are named, as far as the reader may know of them. One statement. */
  named(reader: Reader, names: readonly ItemName[]): Promise<NamedItem[]>
  /** How the endpoints for the talk about its items are declared; `notesApi` for notes, threads and the facts of changes. */
  readonly api: NoteableApi
  readonly notesApi: NoteableApi
  /** The ability to read internal notes. */
  readonly readInternal: Ability
  /** What of its items is kept as facts when it changes. */
  readonly facts: readonly ItemFact[]
  /** What texts with quick actions need. */
  readonly writing: Writing
  /** Where time is tracked: how it is stored. */
  readonly times?: TimesOfKind
  /** The item with this number of a project as something that is talked about, as far as the caller may know of it. */
  find?(ctx: Context, project: ProjectWithRole, iid: number): Promise<Noteable | undefined>
  /** Where the text of an item stands. */
  textPlace(noteable: Noteable): TextPlace
  /** Counts notes that people have written, or that are gone. */
  countNotes(db: Db, id: number, change: number, now: Date): Promise<void>
  /** Counts a reaction, or one that is gone: thumbs alone are counted. */
  countAward(db: Db, id: number, name: string, change: number): Promise<void>
  /** Gives every item that has one of the labels `from` the label `to` as well; `from` are about to be deleted. */
  replaceLabels(db: Db, from: readonly number[], to: number): Promise<unknown>
  /** Moves the items of the milestones `from` to `to`. */
  replaceMilestones?(db: Db, from: readonly number[], to: number): Promise<unknown>
}

/** Every kind of item: issues, merge requests and epics, in this order. */
export const itemKinds = new Port<readonly ItemKind[]>('itemKinds')

/** The kind of this name. */
export const itemKind = (noun: ItemNoun): ItemKind => itemKinds.value.find(kind => kind.noun === noun) as ItemKind

/** The kind of the item with this key, and its id. */
export function itemKindOf(key: ItemKey): [kind: ItemKind, id: number] {
  const [column, id] = columnOf(key)
  return [itemKinds.value.find(kind => kind.key === column) as ItemKind, id]
}

/** What an item of the kind is called in texts: `merge request`. */
export const wordsOf = ({ noun }: Pick<ItemKind, 'noun'>): string => noun.replaceAll('_', ' ')
