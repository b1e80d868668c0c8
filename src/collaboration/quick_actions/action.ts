/** Quick actions, and the items that they apply to: existing ones, or one that is being created. */
import type { Ability, AbilitySubject } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import type { Noteable } from '../notes/items/noteable.ts'

/** Changes that items of every kind support. */
export interface ItemChanges {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly state_event?: 'close' | 'reopen' | undefined
  /** All labels, by name. */
  readonly labels?: readonly string[] | undefined
  readonly add_labels?: readonly string[] | undefined
  readonly remove_labels?: readonly string[] | undefined
}

/** The types of an item kind: its place, noteable, row and changes. */
export interface ItemTypes {
  readonly place: { readonly id: number }
  readonly noteable: Noteable
  readonly row: { readonly id: number }
  readonly changes: ItemChanges
}

/** How quick actions in texts are applied to items of a kind. */
export interface Writing<T extends ItemTypes = ItemTypes> {
  /** The quick actions by each of their names. */
  readonly actions: ReadonlyMap<string, Action>
  /** The abilities required to change an item and to plan with it. */
  readonly can: { readonly update: Ability; readonly plan: Ability }
  /** The subject of abilities for a new item. */
  subject(place: T['place']): AbilitySubject
  /** The places whose labels can be used. */
  labelsIn(place: T['place']): Pick<PlanningPlace, 'key' | 'above'>
  placeOf(noteable: T['noteable']): T['place']
  rowOf(noteable: T['noteable']): T['row']
  noteable(ctx: Context, place: T['place'], row: T['row']): T['noteable']
  /** Loads the current row. */
  read(ctx: Context, place: T['place'], id: number): Promise<T['row']>
  update(ctx: Context, place: T['place'], row: T['row'], changes: T['changes']): Promise<T['row']>
}

/** An item with the changes of earlier actions of the same text. */
export interface Target<T extends ItemTypes = ItemTypes> {
  readonly ctx: Context
  readonly place: T['place']
  readonly writing: Writing<T>
  /** Undefined while the item is being created. */
  readonly noteable: T['noteable'] | undefined
  readonly sofar: T['changes']
}

/** The effect of an action. */
export interface Effect<T extends ItemTypes = ItemTypes> {
  /** Changes of the item's attributes. */
  readonly changes?: T['changes']
  /** Reported to clients as `commands_changes`, under public names. */
  readonly reported?: Readonly<Record<string, unknown>>
  /** Runs after the item was created or changed. If it refuses, the whole request is refused. */
  after?(ctx: Context, noteable: T['noteable']): Promise<void>
  /** Appended to the text in place of the action. */
  readonly text?: string
}

/** What completes an argument: names of such things, or these values. */
export type ArgumentChoice =
  | 'user'
  | 'label'
  | 'milestone'
  | 'iteration'
  | 'epic'
  | 'issue'
  | 'project'
  | 'emoji'
  | 'branch'
  | readonly string[]

/** A quick action. One that the actor may not use, or with an invalid argument, is ignored. */
export interface Action<T extends ItemTypes = ItemTypes> {
  /** Aliases. */
  readonly names?: readonly string[]
  /** What editors offer as its argument. */
  readonly argument?: ArgumentChoice
  /** Most characters of its argument: a text with more is refused. Default: 2,000, room for a hundred names. */
  readonly longest?: number
  /** A text has it once: a text with more is refused. For actions that copy an item with all that belongs to it. */
  readonly once?: true
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

/** Changes that are reported under the same names, unless given. */
export const change = <const C extends object>(changes: C, reported?: Readonly<Record<string, unknown>>) => ({
  changes,
  reported: reported ?? { ...changes },
})
