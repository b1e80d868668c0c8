/** What of an answer a tier carries: fields above it are left out, however deep (document 1 "Notation"). */
import type { TSchema } from 'typebox'
import { type Tier, tierCovers, tierOf } from '../declaration/types.ts'

/** The JSON of a schema without what the tier does not have. */
type Shown = (json: unknown) => unknown

const whole: Shown = json => json

const known = new WeakMap<TSchema, Map<Tier, Shown>>()

/** How the JSON of a schema is shown on an instance of this tier. The JSON itself is left as it is: it may be shared. */
export function shownOn(tier: Tier, schema: TSchema): Shown {
  const byTier = known.get(schema) ?? new Map<Tier, Shown>()
  known.set(schema, byTier)
  const shown = byTier.get(tier) ?? compile(tier, schema)
  byTier.set(tier, shown)
  return shown
}

/** The parts of a schema that can hold fields, as TypeBox lays them out. */
interface Parts {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

/** `whole` wherever nothing is above the tier, so that nothing is copied there. */
function compile(tier: Tier, schema: TSchema): Shown {
  const { properties = {}, items, anyOf = [] } = schema as Parts
  const members = anyOf.map(member => shownOn(tier, member)).filter(shown => shown !== whole)
  if (members.length > 0) return json => members.reduce((shown, member) => member(shown), json)
  if (items) {
    const item = shownOn(tier, items)
    return item === whole ? whole : json => (Array.isArray(json) ? json.map(item) : json)
  }
  const hidden = Object.keys(properties).filter(name => !tierCovers(tier, tierOf(properties[name] as TSchema)))
  const changed = Object.entries(properties)
    .map(([name, property]) => [name, shownOn(tier, property)] as const)
    .filter(([name, shown]) => shown !== whole && !hidden.includes(name))
  if (hidden.length + changed.length === 0) return whole
  return json => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
    const rest: Record<string, unknown> = { ...json }
    for (const name of hidden) delete rest[name]
    for (const [name, shown] of changed) if (name in rest) rest[name] = shown(rest[name])
    return rest
  }
}
