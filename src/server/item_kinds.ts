/** Every kind of item, in the order in which statements and answers name them. */
import type { ItemKind, NamedKind, NoteableKind, TodoKind } from '../collaboration/item_kinds/item_kind.ts'
import { snippetKind } from '../collaboration/snippets/item_kind/kind.ts'
import { epicKind } from '../planning/epics/item_kind/kind.ts'
import { issueKind } from '../planning/issues/item_kind/kind.ts'
import { commitKind } from '../review/commit_comments/kind.ts'
import { mergeRequestKind } from '../review/merge_requests/item_kind/kind.ts'

export const allItemKinds: readonly ItemKind[] = [issueKind, mergeRequestKind, epicKind]

/** And snippets, which texts name by a sign and a number too. */
export const namedKinds: readonly NamedKind[] = [...allItemKinds, snippetKind]

/** The kinds that to-do items can be about. */
export const allTodoKinds: readonly TodoKind[] = [...allItemKinds, commitKind]

/** And what else notes can be on. */
export const allNoteableKinds: readonly NoteableKind[] = [...namedKinds, commitKind]
