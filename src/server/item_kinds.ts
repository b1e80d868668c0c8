/** Every kind of item, in the order in which statements and answers name them. */
import type { ItemKind } from '../collaboration/item_kinds/item_kind.ts'
import { epicKind } from '../planning/epics/item_kind/kind.ts'
import { issueKind } from '../planning/issues/item_kind/kind.ts'
import { mergeRequestKind } from '../review/merge_requests/item_kind/kind.ts'

export const allItemKinds: readonly ItemKind[] = [issueKind, mergeRequestKind, epicKind]
