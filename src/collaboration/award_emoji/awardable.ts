/** What people react to with emoji: items that are talked about, and what is said about them. */
import { type Scope, within } from '../../platform/kernel/scope.ts'
import type { ItemKey } from '../item_kinds/kinds.ts'
import { type Noteable, type NoteableScope, subjectOf } from '../notes/noteable.ts'
import { inNote } from '../notes/scope.ts'

export interface Awardable {
  /** The item as the rows of its reactions name it. */
  readonly key: ItemKey | { readonly note_id: number }
  /** What is talked about. */
  readonly noteable: Noteable
}

/** What every scope below gives. */
export interface InAwardable {
  readonly awardable: Awardable
}

export type AwardableScope = Scope<InAwardable>

/** An item itself as something to react to. */
export const awardableItem = (noteable: Noteable): Awardable => ({ key: noteable.key, noteable })

export const inAwardable = (inNoteable: NoteableScope): AwardableScope =>
  within(inNoteable, {
    name: inNoteable.name,
    path: {},
    load: async ({ noteable }): Promise<InAwardable> => ({ awardable: awardableItem(noteable) }),
  })

/** What somebody said about an item as something to react to. */
export const inAwardableNote = (inNoteable: NoteableScope): AwardableScope =>
  within(inNote(inNoteable), {
    name: `${inNoteable.name}Note`,
    path: {},
    load: async ({ noteable, note }): Promise<InAwardable> => ({ awardable: { key: { note_id: note.id }, noteable } }),
    subject: ({ noteable }) => subjectOf(noteable, false),
  })
