/** Which copies of former labels or milestones a transfer makes, and where. */
import type { FormerUse } from './uses.ts'

/**
 * The uses for which a copy is made: one for each name in each project or group that has none of this name available, and none where a moved group
 * above gets it. Of several labels of one name that of the nearest former group is copied. Pure.
 */
export function copiesNeeded(uses: readonly FormerUse[]): FormerUse[] {
  const lacking = uses.filter(use => !use.replaceable)
  const inGroup = (groupId: number, name: string) => `${groupId} ${name}`
  const ofGroups = new Set(lacking.flatMap(use => (use.namespace_id === null ? [] : [inGroup(use.namespace_id, use.name)])))
  const byPlaceAndName = Map.groupBy(lacking, use => `${use.project_id} ${use.namespace_id} ${use.name}`)
  return [...byPlaceAndName.values()].flatMap(([use]) => {
    const { above, namespace_id, name } = use as FormerUse
    return above.some(id => id !== namespace_id && ofGroups.has(inGroup(id, name))) ? [] : [use as FormerUse]
  })
}
