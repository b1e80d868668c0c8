/** An integration as JSON (services API at 14.0). Secrets are not shown; addresses have stars in the place of credentials. */
import Type, { type TBoolean } from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, described, flag, integer, text } from '../../platform/kernel/declaration/types.ts'
import type { IntegrationKind } from './kinds/field.ts'
import { kindOf } from './kinds/kinds.ts'
import type { IntegrationRow } from './queries.ts'
import { type IntegrationSwitch, integrationSwitches, switchAbout } from './switches.ts'

type Switches<V> = { [S in IntegrationSwitch]: V }

const switchFields = Object.fromEntries(integrationSwitches.map(name => [name, flag(switchAbout[name])])) as Switches<TBoolean>

const fields = {
  id: integer('ID, unique on the instance'),
  title: text('Name of the integration'),
  slug: text('Name in addresses'),
  created_at: DateTime('When it was set up'),
  updated_at: DateTime('When it was last changed'),
  active: flag('Whether it is in use'),
  ...switchFields,
  comment_on_event_enabled: flag('Whether it comments on the issues that commits and merge requests name'),
  inherited: flag('Whether the settings are those of a group around it, or of the instance'),
}

/** The properties of a row: all settings but secrets. */
export type Properties = Readonly<Record<string, string | number | boolean | null>>

/** The properties of a row, with what answers leave out. */
export const propertiesOf = (row: Pick<IntegrationRow, 'properties'>): Properties => row.properties as Properties

/** The name of an integration: the one that was given, or that of its kind. */
export const titleOf = (row: Pick<IntegrationRow, 'properties' | 'slug'>): string => {
  const { title } = propertiesOf(row)
  return typeof title === 'string' && title !== '' ? title : (kindOf(row.slug)?.title ?? row.slug)
}

const present = (row: IntegrationRow) => ({
  id: row.id,
  title: titleOf(row),
  slug: row.slug,
  created_at: row.created_at,
  updated_at: row.updated_at,
  active: row.active,
  ...(Object.fromEntries(integrationSwitches.map(name => [name, row.switches.includes(name)])) as Switches<boolean>),
  comment_on_event_enabled: row.comment_on_event_enabled,
  inherited: row.inherited,
})

/** In lists. */
export const IntegrationSummary = entity({ name: 'Integration', schema: Type.Object(fields), present })

/** The settings of a kind that answers show. */
const shownFields = ({ fields: all }: IntegrationKind) => all.filter(({ secret, unlisted }) => !secret && !unlisted)

/** By itself: with its settings. */
export const Integration = entity({
  name: 'IntegrationWithProperties',
  schema: Type.Object({
    ...fields,
    properties: described(
      'Its settings without secrets; null where one is not given',
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
    ),
  }),
  present(row: IntegrationRow) {
    const values = propertiesOf(row)
    const shown = shownFields(kindOf(row.slug) as IntegrationKind)
    return { ...present(row), properties: Object.fromEntries(shown.map(({ name }) => [name, values[name] ?? null])) }
  },
})
