/** Manual order of the contents of an epic. */
import { integer, optional } from '../../platform/kernel/declaration/types.ts'

/** The new neighbour of a moved element, by id; the first one that is given counts. */
export interface Neighbours {
  /** Contract: the element directly before the moved one, as the public documents describe `move_before_id`. */
  readonly move_before_id?: number | undefined
  /** Contract: the element directly after the moved one (epic issues and epic links API). */
  readonly move_after_id?: number | undefined
}

/** The ids with one of them moved next to its neighbour; undefined if the neighbour is not among them. */
export function inNewOrder(ids: readonly number[], moved: number, { move_before_id, move_after_id }: Neighbours): number[] | undefined {
  const neighbour = move_before_id ?? move_after_id
  if (neighbour === undefined || neighbour === moved) return [...ids]
  const others = ids.filter(id => id !== moved)
  const at = others.indexOf(neighbour)
  return at < 0 ? undefined : others.toSpliced(move_before_id === undefined ? at : at + 1, 0, moved)
}

/** The parameters that name a neighbour. */
export const neighbourParams = (noun: string) => ({
  move_before_id: optional(integer(`The ${noun} to come directly before it`)),
  move_after_id: optional(integer(`The ${noun} to come directly after it`)),
})
