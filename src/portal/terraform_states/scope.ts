/** States of Terraform by the addresses of their pages. */
import { findState, findVersion, statePathParams, versionPathParams } from '../../delivery/terraform_states/scope.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'

/** The path of the list of states. */
export const STATES = '/:project_path/-/terraform'

/** The path of the page of one state. */
export const STATE = `${STATES}/:name` as const

/** `:name` becomes a state of the project, or 404. */
export const inTerraformStatePage = within(inProjectPage, {
  name: 'inTerraformStatePage',
  path: statePathParams,
  load: async (ctx, { name }) => ({ state: await findState(ctx, name) }),
})

/** `:serial` becomes a version of the state, or 404. */
export const inTerraformStateVersionPage = within(inTerraformStatePage, {
  name: 'inTerraformStateVersionPage',
  path: versionPathParams,
  load: async (ctx, { serial }) => ({ version: await findVersion(ctx, serial) }),
})
