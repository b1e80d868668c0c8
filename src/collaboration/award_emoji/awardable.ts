/** What can be reacted to with emoji: items and the notes on them. */
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import type { AwardableKey } from '../item_kinds/kinds.ts'
import { type Noteable, type NoteableScope, subjectOf } from '../notes/items/noteable.ts'
import { inNote } from '../notes/scope.ts'

export interface Awardable {
  /** The key that names it in the rows of its reactions. */
  readonly key: AwardableKey | { readonly note_id: number }
  /** The item itself, or the item that the note is on. */
  readonly noteable: Noteable
}

/** What every scope below loads. */
export interface InAwardable {
  readonly awardable: Awardable
}

export type AwardableScope = Scope<InAwardable>

/** An item or snippet as an awardable. Commits have reactions to their notes alone. */
export const awardableItem = (noteable: Noteable): Awardable => ({ key: noteable.key as AwardableKey, noteable })

export const inAwardable = (inNoteable: NoteableScope): AwardableScope =>
  within(inNoteable, {
    name: inNoteable.name,
    path: {},
    load: async ({ noteable }): Promise<InAwardable> => ({ awardable: awardableItem(noteable) }),
  })

/** A note on an item as an awardable. */
export const inAwardableNote = (inNoteable: NoteableScope): AwardableScope =>
  within(inNote(inNoteable), {
    name: `${inNoteable.name}Note`,
    path: {},
    load: async ({ noteable, note }): Promise<InAwardable> => ({ awardable: { key: { note_id: note.id }, noteable } }),
    subject: ({ noteable }) => subjectOf(noteable, false),
  })
