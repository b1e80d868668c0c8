/** Settings that are stored for clients and change nothing here. */
import { inertSettings } from '../../src/platform/application_settings/inert.ts'

const noAutoDevOps = 'Ingot has no Auto DevOps; stored for clients'

const noPart = (part: string): string => `Ingot has no ${part}; stored for clients`

/** Settings without an effect, and why. May only shrink; those of the instance are the inert ones, which say so in the API's description. */
export const withoutEffect: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(inertSettings).map(name => [`instance.${name}`, 'kept for clients, which write what they have read'])),
  'project.auto_devops_enabled': noAutoDevOps,
  'group.auto_devops_enabled': noAutoDevOps,
  'project.auto_devops_deploy_strategy': noAutoDevOps,
  'project.requirements_access_level': noPart('requirements'),
  'project.external_authorization_classification_label': noPart('external authorization'),
}
