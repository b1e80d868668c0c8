/** What the columns of a board are called. */
import { type ends, keyOf } from '../../planning/boards/columns.ts'
import { BoardList } from '../../planning/boards/entity.ts'
import type { BoardListRow } from '../../planning/boards/queries.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'

/** The JSON of a list, as far as its name is concerned. */
export interface NamedList {
  readonly id: number
  readonly label?: { readonly name: string } | undefined
  readonly assignee?: { readonly name: string } | undefined
  readonly milestone?: { readonly title: string } | undefined
  readonly iteration?: { readonly title: string } | undefined
}

/** What a list is called; pure. */
export const titleOfList = ({ label, assignee, milestone, iteration }: NamedList): string =>
  label?.name ?? assignee?.name ?? milestone?.title ?? iteration?.title ?? 'List'

/** What the columns without a list are called. */
export const titlesOfEnds = { open: 'Open', closed: 'Closed' } as const satisfies Record<(typeof ends)[number], string>

/** The titles of all columns by their names in addresses. */
export async function titlesOf(ctx: Context, lists: readonly BoardListRow[]): Promise<ReadonlyMap<string, string>> {
  const shown = (await presentAll(BoardList, ctx, lists)) as unknown as readonly NamedList[]
  return new Map<string, string>([
    ...Object.entries(titlesOfEnds),
    ...lists.map((list, nth) => [keyOf(list), titleOfList(shown[nth] as NamedList)] as const),
  ])
}
