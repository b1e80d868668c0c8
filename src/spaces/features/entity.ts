/** Feature flags as JSON (features API). */
import Type from 'typebox'
import { type Flag, flags } from '../../platform/access/feature_flags.ts'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { described, flag, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { FeatureRow } from './queries.ts'

const definition = Type.Object({
  name: text('Name of the feature'),
  type: text('Kind of the feature flag'),
  default_enabled: flag('Whether it is on unless a gate says otherwise'),
})

/** A flag that this server uses. */
export const FeatureDefinition = plain('FeatureDefinition', definition)

/** The definition of a flag; null for one that this server does not use. */
export const definitionOf = (name: string) =>
  Object.hasOwn(flags, name) ? { name, type: 'development', default_enabled: flags[name as Flag].standard } : null

export const Feature = entity({
  name: 'Feature',
  schema: Type.Object({
    name: text('Name of the feature'),
    state: text('`on`, `off` or `conditional`'),
    gates: described(
      'For whom the feature is on',
      Type.Array(
        Type.Object({
          key: text('Kind of the gate'),
          value: described('Value of the gate', Type.Union([Type.Boolean(), Type.Integer(), Type.Array(Type.String())])),
        }),
      ),
    ),
    definition: Nullable(described('What the release says of the feature; null where it says nothing', definition)),
  }),
  present: ({ name, gates }: FeatureRow) => ({
    name,
    state: stateOf(gates),
    gates: gates.map(({ key, value }) => ({ key, value: typeof value === 'object' ? [...value] : value })),
    definition: definitionOf(name),
  }),
})

/** `on` for all actors, `off` for all actors, `conditional` in between. */
export function stateOf(gates: FeatureRow['gates']): 'on' | 'off' | 'conditional' {
  if (gates.some(({ value }) => value === true || value === 100)) return 'on'
  return gates.length > 1 ? 'conditional' : 'off'
}
