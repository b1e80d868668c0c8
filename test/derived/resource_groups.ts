/** What jobs of the world run one at a time for. A CI file makes them by naming them; here the command that it makes them by is enough. */
import { resourceGroupsFor } from '../../src/ci/resource_groups/assign.ts'
import { rows } from './making.ts'
import type { World } from './world.ts'

export async function resourceGroups({ scene, places }: World): Promise<void> {
  for (const { project } of Object.values(places))
    await resourceGroupsFor(
      scene.deps.database.db,
      project.id,
      rows.map(row => `machine-${row}`),
    )
}
