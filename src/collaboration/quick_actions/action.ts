/** What a quick action is, and what it works on: an item of some kind, or one that is about to be created. */
import type { Ability, AbilitySubject } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import type { Noteable } from '../notes/noteable.ts'

/** What can become of every item. */
export interface ItemChanges {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly state_event?: 'close' | 'reopen' | undefined
  /** All labels, by name. */
  readonly labels?: readonly string[] | undefined
  readonly add_labels?: readonly string[] | undefined
  readonly remove_labels?: readonly string[] | undefined
}

/** The types of a kind of item: where it is, the item as something that is talked about, its row, and what is to become of it. */
export interface ItemTypes {
  readonly place: { readonly id: number }
  readonly noteable: Noteable
  readonly row: { readonly id: number }
  readonly changes: ItemChanges
}

/** What texts with quick actions need of a kind of item. */
export interface Writing<T extends ItemTypes = ItemTypes> {
  /** The quick actions, by each of their names. */
  readonly actions: ReadonlyMap<string, Action>
  /** The abilities that its change and its planning ask. */
  readonly can: { readonly update: Ability; readonly plan: Ability }
  /** What abilities are asked about where an item is created. */
  subject(place: T['place']): AbilitySubject
  /** Whose labels serve there. */
  labelsIn(place: T['place']): Pick<PlanningPlace, 'key' | 'above'>
  placeOf(noteable: T['noteable']): T['place']
  rowOf(noteable: T['noteable']): T['row']
  noteable(ctx: Context, place: T['place'], row: T['row']): T['noteable']
  /** The item as it is now. */
  read(ctx: Context, place: T['place'], id: number): Promise<T['row']>
  update(ctx: Context, place: T['place'], row: T['row'], changes: T['changes']): Promise<T['row']>
}

/** An item with what earlier actions of the same text make of it. */
export interface Target<T extends ItemTypes = ItemTypes> {
  readonly ctx: Context
  readonly place: T['place']
  readonly writing: Writing<T>
  /** Undefined while it is created. */
  readonly noteable: T['noteable'] | undefined
  readonly sofar: T['changes']
}

/** What one action comes to. */
export interface Effect<T extends ItemTypes = ItemTypes> {
  /** What becomes of the item's attributes. */
  readonly changes?: T['changes']
  /** What clients are told, under the public names (`commands_changes`). */
  readonly told?: Readonly<Record<string, unknown>>
  /** What is done once the item is there and changed. A refusal of it refuses the whole request. */
  after?(ctx: Context, noteable: T['noteable']): Promise<void>
  /** What stands at the end of the text in the action's place. */
  readonly text?: string
}

/** A quick action. One that the actor may not use, or with an argument that means nothing, does nothing. */
export interface Action<T extends ItemTypes = ItemTypes> {
  /** Other names of it. */
  readonly names?: readonly string[]
  may(target: Target<T>): boolean | Promise<boolean>
  do(target: Target<T>, argument: string): Effect<T> | undefined | Promise<Effect<T> | undefined>
}

/** Quick actions by name. */
export type Actions<T extends ItemTypes = ItemTypes> = Readonly<Record<string, Action<T>>>

/** The actions of these tables by each of their names. */
export const actionsByName = (...tables: readonly Actions[]): ReadonlyMap<string, Action> =>
  new Map(
    tables
      .flatMap(table => Object.entries(table))
      .flatMap(([name, action]) => [name, ...(action.names ?? [])].map(known => [known, action] as const)),
  )

/** Changes that clients are told of under the same names, unless given. */
export const change = <const C extends object>(changes: C, told?: Readonly<Record<string, unknown>>) => ({
  changes,
  told: told ?? { ...changes },
})
