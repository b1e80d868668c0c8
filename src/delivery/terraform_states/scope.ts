import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { stateNamed, versionOfSerial } from './queries.ts'

/** The part of an address that names a state. */
export const statePathParams = { name: text('Name of the state', { minLength: 1, maxLength: 255, examples: ['production'] }) }

/** `:name` becomes a state of the project, or 404. */
export const inTerraformState = within(inProject, {
  name: 'inTerraformState',
  path: statePathParams,
  async load({ db, project }, { name }) {
    const state = await stateNamed(db, project.id, name)
    if (!state) throw notFound()
    return { state }
  },
})

/** `:serial` becomes a version of the state, or 404. */
export const inTerraformStateVersion = within(inTerraformState, {
  name: 'inTerraformStateVersion',
  path: { serial: integer('Serial of the version') },
  async load({ db, state }, { serial }) {
    const version = await versionOfSerial(db, state.id, serial)
    if (!version) throw notFound()
    return { version }
  },
})
