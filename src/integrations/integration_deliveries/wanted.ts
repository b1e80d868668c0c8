/** Which of the events that an integration is switched to it is notified of. Pure. */
import { fitsName } from '../../code/protected_branches/branch_rights.ts'
import { type Properties, propertiesOf } from '../../spaces/integration_settings/entity.ts'
import { kindOf } from '../../spaces/integration_settings/kinds/kinds.ts'
import { type IntegrationSwitch, integrationSwitches } from '../../spaces/integration_settings/switches.ts'
import type { Trigger } from '../hooks/switches.ts'
import { type Payload, refIn } from './payload.ts'

/** The switches that an event is behind: a push is also what brings commits. */
export const switchesBehind = (trigger: Trigger): readonly IntegrationSwitch[] =>
  trigger === 'push_events' ? ['push_events', 'commit_events'] : integrationSwitches.filter(name => name === trigger)

/** Is an integration switched to an event, and does anything follow? */
export function isSwitchedTo(
  { slug, switches }: { readonly slug: string; readonly switches: readonly string[] },
  trigger: Trigger,
): boolean {
  const kind = kindOf(slug)
  if (!kind || kind.kept) return false
  return switchesBehind(trigger).some(name => kind.events.includes(name) && switches.includes(name))
}

/** Is it notified of this very event? `protections`: names of protected branches, with wildcards. */
export function isWanted(
  row: { readonly slug: string; readonly properties: unknown },
  payload: Payload,
  protections: readonly string[],
): boolean {
  const group = kindOf(row.slug)?.group
  if (group !== 'Chat' && group !== 'Mail') return true
  const settings = propertiesOf(row as never)
  return isWantedRef(settings, payload, protections) && isWantedStatus(settings, payload) && hasWantedLabels(settings, payload)
}

function isWantedRef({ branches_to_be_notified: which }: Properties, payload: Payload, protections: readonly string[]): boolean {
  const ref = refIn(payload)
  if (!ref || ref.isTag || which === 'all') return true
  const isDefault = ref.name === payload.project.default_branch
  const isProtected = protections.some(name => fitsName(name, ref.name))
  if (which === 'protected') return isProtected
  return which === 'default_and_protected' ? isDefault || isProtected : isDefault
}

/** Contract: of pipelines the failed ones are reported, and those that succeed unless only the former are asked for (services API). */
function isWantedStatus({ notify_only_broken_pipelines: brokenOnly }: Properties, { object_kind, object_attributes }: Payload): boolean {
  if (object_kind !== 'pipeline') return true
  const status = object_attributes?.status
  return status === 'failed' || (status === 'success' && brokenOnly !== true)
}

function hasWantedLabels(
  { labels_to_be_notified: wanted, labels_to_be_notified_behavior: behavior }: Properties,
  payload: Payload,
): boolean {
  const names = String(wanted ?? '')
    .split(',')
    .map(name => name.trim().replace(/^~/, ''))
    .filter(name => name !== '')
  const isLabeled = ['issue', 'merge_request', 'note'].includes(payload.object_kind)
  if (names.length === 0 || !isLabeled) return true
  const has = new Set((payload.labels ?? payload.issue?.labels ?? payload.merge_request?.labels ?? []).map(({ title }) => title))
  return behavior === 'match_all' ? names.every(name => has.has(name)) : names.some(name => has.has(name))
}
