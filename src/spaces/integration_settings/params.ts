/** The parameters of integrations: the settings of all kinds by their names, and the switches. Which of them a kind has is asked by the command. */
import type { TProperties, TSchema } from 'typebox'
import { WebAddress } from '../../platform/kernel/addresses/web_address.ts'
import { flag, integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { IntegrationKind, SettingField } from './kinds/field.ts'
import { fieldsByName } from './kinds/kinds.ts'
import { integrationSwitches, switchAbout } from './switches.ts'

/** Characters of a line, and of a longer text. */
const LONGEST_LINE = 2_048
const LONGEST = 10_000

function schemaOf(field: SettingField, about: string): TSchema {
  if (field.type === 'flag') return flag(about)
  if (field.type === 'integer') return integer(about, { minimum: 1, maximum: 65_535 })
  if (field.choices) return OneOf(field.choices, { description: about })
  if (field.type === 'url' || field.type === 'link') return WebAddress({ description: about })
  return text(about, { ...field.form, maxLength: field.type === 'long' || field.secret ? LONGEST : LONGEST_LINE })
}

/** What a setting is in the kinds that have it: `Token of Drone (drone-ci); …`. */
function aboutOf(having: readonly { readonly kind: IntegrationKind; readonly field: SettingField }[]): string {
  const byMeaning = Map.groupBy(having, ({ field }) => field.about)
  const slugs = (found: typeof having) => found.map(({ kind, field }) => `\`${kind.slug}\`${field.required ? ' (required)' : ''}`)
  return [...byMeaning].map(([about, found]) => `${about}: ${slugs(found).join(', ')}`).join('. ')
}

/** `PUT` of an integration. */
export const integrationParams: TProperties = {
  ...Object.fromEntries([...fieldsByName].map(([name, having]) => [name, optional(schemaOf(having[0]!.field, aboutOf(having)))])),
  ...Object.fromEntries(integrationSwitches.map(name => [name, optional(flag(switchAbout[name]))])),
  active: optional(flag('Whether it is in use; true unless it is given')),
  comment_on_event_enabled: optional(flag('Whether it comments on the issues that commits and merge requests name: `jira`')),
}

/** The same in a place that others are around. */
export const inheritingParams: TProperties = {
  ...integrationParams,
  use_inherited_settings: optional(flag('Whether the settings of the place around it are used in place of own ones')),
}

/** What is given of an integration: the parameters, checked. */
export type GivenSettings = Readonly<Record<string, unknown>> & {
  readonly active?: boolean
  readonly comment_on_event_enabled?: boolean
  readonly use_inherited_settings?: boolean
  /** Set by forms, which show no secret: one that is not given stays. */
  readonly keeps_secrets?: true
}
