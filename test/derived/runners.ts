/** Runners in the world: of the instance, of the groups and of the projects. */
import { registered } from '../../src/ci/runner_protocol/scene.ts'
import { rows } from './making.ts'
import type { World } from './world.ts'

export async function runners(world: World): Promise<void> {
  const { scene, places, things } = world
  for (const row of rows) {
    const { id, token } = await registered(scene, {}, { description: `Runner ${row}` })
    Object.assign(things, { runner: id, runner_token: token })
  }
  const { body } = await scene.root.post('/runners/reset_registration_token')
  things.registration_token = body.token
  for (const { project, group, things: here } of Object.values(places)) {
    for (const _ of rows) {
      here.group_runner = (await registered(scene, { group })).id
      here.project_runner = (await registered(scene, { project })).id
    }
  }
}
