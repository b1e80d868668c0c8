/** Which parents of an archive's epics fit the rules of epics. Pure. */
import { MOST_LEVELS } from '../../../planning/epics/children/commands.ts'

/** An epic that was written, and what the archive says of its parent. */
export interface ArchivedEpic {
  /** Its id here. */
  readonly id: number
  /** Its group here, with the ids of the groups above it and its own. */
  readonly group: { readonly id: number; readonly traversal_ids: readonly number[] }
  readonly confidential: boolean
  /** The id of its parent in the archive. */
  readonly parent: number | undefined
  /** Its place among its siblings. */
  readonly place: number
}

/** Ids here, in the order of the siblings. */
export interface Parents {
  readonly fitting: readonly { readonly id: number; readonly parent_id: number }[]
  /** Ids in the archive of those that have none, and why. */
  readonly refused: readonly { readonly id: number; readonly why: string }[]
}

/** The parents that fit: of the group or one above it, in no circle, not too deep, and open to all who see the child. */
export function fittingParents(epics: ReadonlyMap<number, ArchivedEpic>): Parents {
  const parents = new Map<number, number>()
  const refused: { id: number; why: string }[] = []
  for (const [key, { parent }] of epics) if (parent !== undefined) parents.set(key, parent)
  for (const [key, parent] of [...parents]) {
    const why = misfit(epics, parents, key, parent)
    if (why === undefined) continue
    parents.delete(key)
    refused.push({ id: key, why })
  }
  const fitting = [...parents].map(([key, parent]) => ({
    child: epics.get(key) as ArchivedEpic,
    parent: epics.get(parent) as ArchivedEpic,
  }))
  fitting.sort((one, other) => one.child.place - other.child.place || one.child.id - other.child.id)
  return { fitting: fitting.map(({ child, parent }) => ({ id: child.id, parent_id: parent.id })), refused }
}

function misfit(
  epics: ReadonlyMap<number, ArchivedEpic>,
  parents: ReadonlyMap<number, number>,
  key: number,
  parentKey: number,
): string | undefined {
  const [child, parent] = [epics.get(key) as ArchivedEpic, epics.get(parentKey)]
  if (!parent) return 'it is not in the archive'
  if (!child.group.traversal_ids.includes(parent.group.id)) return 'its group is not above'
  if (parent.confidential && !child.confidential) return 'it is confidential, and the epic is not'
  // A circle has no end, so it is too deep as well.
  let levels = 1
  for (let at: number | undefined = parentKey; at !== undefined; at = parents.get(at)) {
    levels++
    if (levels > MOST_LEVELS) return `there would be more than ${MOST_LEVELS} levels of epics`
  }
  return undefined
}
