import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { type StateRow, stateNamed, type VersionRow, versionOfSerial } from './queries.ts'

/** The part of an address that names a state. */
export const statePathParams = { name: text('Name of the state', { minLength: 1, maxLength: 255, examples: ['production'] }) }

/** @throws Refusal 404 unless the project has a state of this name */
export async function findState(
  { db, project }: Pick<Context, 'db'> & { readonly project: { readonly id: number } },
  name: string,
): Promise<StateRow> {
  const state = await stateNamed(db, project.id, name)
  if (!state) throw notFound()
  return state
}

/** The part of an address that names a version of a state. */
export const versionPathParams = { serial: integer('Serial of the version') }

/** @throws Refusal 404 unless the state has a version with this serial */
export async function findVersion({ db, state }: Pick<Context, 'db'> & { readonly state: StateRow }, serial: number): Promise<VersionRow> {
  const version = await versionOfSerial(db, state.id, serial)
  if (!version) throw notFound()
  return version
}

/** `:name` becomes a state of the project, or 404. */
export const inTerraformState = within(inProject, {
  name: 'inTerraformState',
  path: statePathParams,
  load: async (ctx, { name }) => ({ state: await findState(ctx, name) }),
})

/** `:serial` becomes a version of the state, or 404. */
export const inTerraformStateVersion = within(inTerraformState, {
  name: 'inTerraformStateVersion',
  path: versionPathParams,
  load: async (ctx, { serial }) => ({ version: await findVersion(ctx, serial) }),
})
