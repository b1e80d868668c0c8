/** Every kind of item, in the order in which statements and answers name them. */
import type { ItemKind, NoteableKind } from '../collaboration/item_kinds/item_kind.ts'
import { epicKind } from '../planning/epics/item_kind/kind.ts'
import { issueKind } from '../planning/issues/item_kind/kind.ts'
import { commitKind } from '../review/commit_comments/kind.ts'
import { mergeRequestKind } from '../review/merge_requests/item_kind/kind.ts'

export const allItemKinds: readonly ItemKind[] = [issueKind, mergeRequestKind, epicKind]

/** And what else notes can be on. */
export const allNoteableKinds: readonly NoteableKind[] = [...allItemKinds, commitKind]
