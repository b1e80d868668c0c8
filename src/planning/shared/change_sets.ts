/** Change sets: the changes of an item by field. Pure. */
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'

/**
 * The changed columns.
 * @param derived columns that are derived from others and are not changes themselves
 */
export function changesOfColumns(
  before: Readonly<Record<string, unknown>>,
  columns: Readonly<Record<string, unknown>>,
  derived: ReadonlySet<string>,
): ChangeSet {
  const changed = Object.entries(columns).filter(([name, to]) => !derived.has(name) && to !== before[name])
  return Object.fromEntries(changed.map(([name, to]) => [name, { from: before[name], to }]))
}

/** The change of a list of ids under a name; none if only the order differs. */
export function changeOfList(name: string, from: readonly number[], to: readonly number[]): ChangeSet {
  const isSame = from.length === to.length && to.every(id => from.includes(id))
  return isSame ? {} : { [name]: { from: [...from].sort(byNumber), to: [...to].sort(byNumber) } }
}

const byNumber = (a: number, b: number) => a - b

/** The columns that are set, without those that are not given. */
export const given = <C extends object>(columns: C) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as { [K in keyof C]?: Exclude<C[K], undefined> }
