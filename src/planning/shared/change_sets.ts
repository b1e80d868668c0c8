/** Change sets: what an update has changed of a thing, by field. Pure. */
import type { ChangeSet } from '../../platform/events/events.ts'

/**
 * The columns that are other than they were.
 * @param derived columns that follow from others and are no change by themselves
 */
export function changesOfColumns(
  before: Readonly<Record<string, unknown>>,
  columns: Readonly<Record<string, unknown>>,
  derived: ReadonlySet<string>,
): ChangeSet {
  const changed = Object.entries(columns).filter(([name, to]) => !derived.has(name) && to !== before[name])
  return Object.fromEntries(changed.map(([name, to]) => [name, { from: before[name], to }]))
}

/** The change of a list of ids under a name; none where it has the same ids in another order. */
export function changeOfList(name: string, from: readonly number[], to: readonly number[]): ChangeSet {
  const isSame = from.length === to.length && to.every(id => from.includes(id))
  return isSame ? {} : { [name]: { from: [...from].sort(byNumber), to: [...to].sort(byNumber) } }
}

const byNumber = (a: number, b: number) => a - b

/** The columns that are set, without those that stay. */
export const given = <C extends object>(columns: C) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as { [K in keyof C]?: Exclude<C[K], undefined> }
