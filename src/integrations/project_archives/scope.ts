/** Projects whose exports are not switched off. */
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** Exports may be switched off; then there are none, for administrators neither. Contract: 404 (`project_export_enabled`, application settings API). */
async function assertExported({ db }: Pick<Context, 'db'>) {
  if (!(await applicationSettings(db)).project_export_enabled) throw new Refusal('not_found', { message: '404 Not Found' })
  return {}
}

export const inExportedProject = within(inProject, { name: 'inProject', path: {}, load: assertExported })
export const inExportedProjectPage = within(inProjectPage, { name: 'inProjectPage', path: {}, load: assertExported })
