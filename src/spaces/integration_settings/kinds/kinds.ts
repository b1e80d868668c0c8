/** All kinds of integrations, in the order of their slugs. */
import { chats } from './chats.ts'
import type { IntegrationKind, SettingField } from './field.ts'
import { others } from './others.ts'
import { trackers } from './trackers.ts'

/** Every kind that clients of 14.0 know. */
export const integrationKinds: readonly IntegrationKind[] = [...chats, ...trackers, ...others].sort((a, b) => (a.slug < b.slug ? -1 : 1))

const bySlug = new Map(integrationKinds.map(kind => [kind.slug, kind]))

/** The kind with this slug, also where it is written with underscores. */
export const kindOf = (slug: string): IntegrationKind | undefined => bySlug.get(slug.replaceAll('_', '-'))

/** Each setting of any kind by its name, with the kinds that have it. One name is of one type in all of them. */
export const fieldsByName: ReadonlyMap<string, readonly { readonly kind: IntegrationKind; readonly field: SettingField }[]> = Map.groupBy(
  integrationKinds.flatMap(kind => kind.fields.map(field => ({ kind, field }))),
  ({ field }) => field.name,
)
