/** The order of what an epic holds, made by hand. */
import Type from 'typebox'

/** The neighbour to put a thing next to, by id; the first one that is given counts. */
export interface Neighbours {
  /** Contract: the one that comes right before the thing, as the public documents describe `move_before_id`. */
  readonly move_before_id?: number | undefined
  /** Contract: the one that comes right after the thing (epic issues and epic links API). */
  readonly move_after_id?: number | undefined
}

/** The ids with one of them put next to its neighbour; undefined where the neighbour is not among them. */
export function inNewOrder(ids: readonly number[], moved: number, { move_before_id, move_after_id }: Neighbours): number[] | undefined {
  const neighbour = move_before_id ?? move_after_id
  if (neighbour === undefined || neighbour === moved) return [...ids]
  const others = ids.filter(id => id !== moved)
  const at = others.indexOf(neighbour)
  return at < 0 ? undefined : others.toSpliced(move_before_id === undefined ? at : at + 1, 0, moved)
}

/** The parameters that name a neighbour. */
export const neighbourParams = (noun: string) => ({
  move_before_id: Type.Optional(Type.Integer({ description: `The ${noun} to come right before it` })),
  move_after_id: Type.Optional(Type.Integer({ description: `The ${noun} to come right after it` })),
})
