/** Projects, groups and the instance as places with integrations, and one kind of integration. */
import type { SelectQueryBuilder } from 'kysely'
import type { TProperties } from 'typebox'
import type { SubjectKind } from '../../platform/access/abilities.ts'
import { inInstance, type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import type { IntegrationKind } from './kinds/field.ts'
import { kindOf } from './kinds/kinds.ts'
import { type IntegrationPlace, placeOfGroup, placeOfInstance, placeOfProject } from './places.ts'
import { type IntegrationRow, integrationsIn } from './queries.ts'

/** What every scope of this resource provides. */
export interface InIntegrationPlace {
  readonly place: IntegrationPlace
  /** The settings that count here. */
  // biome-ignore lint/suspicious/noExplicitAny: which tables they come from does not matter
  readonly integrations: SelectQueryBuilder<any, any, IntegrationRow>
}

export const inProjectIntegrations = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ db, project }): Promise<InIntegrationPlace> => {
    const place = placeOfProject(project)
    return { place, integrations: integrationsIn(db, place) }
  },
})

export const inGroupIntegrations = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ db, group }): Promise<InIntegrationPlace> => {
    const place = placeOfGroup(group)
    return { place, integrations: integrationsIn(db, place) }
  },
})

export const inInstanceIntegrations = within(inInstance, {
  name: 'inInstance',
  path: {},
  load: async ({ db }): Promise<InIntegrationPlace> => ({ place: placeOfInstance, integrations: integrationsIn(db, placeOfInstance) }),
})

/** What a place calls them: `404 Service Not Found`. */
export type IntegrationNoun = 'Integration' | 'Service'

const slug = text('Name of the integration in addresses: `slack`, `jira`', { examples: ['slack'] })

/** `:slug` becomes a kind of integration, or 404. */
export const inKind = <S extends InIntegrationPlace, Path extends TProperties, On extends SubjectKind>(
  outer: Scope<S, Path, On>,
  noun: IntegrationNoun,
) =>
  within(outer, {
    name: `${outer.name}Integration`,
    path: { slug },
    load: async (_ctx, path): Promise<{ kind: IntegrationKind }> => {
      const kind = kindOf(path.slug)
      if (!kind) throw notFound(noun)
      return { kind }
    },
  })

/** The settings of the kind that count in the place, or 404. */
export async function findIntegration(
  { integrations, kind }: InIntegrationPlace & { readonly kind: IntegrationKind },
  noun: IntegrationNoun,
): Promise<IntegrationRow> {
  const row = await integrations.where('slug', '=', kind.slug).executeTakeFirst()
  if (!row) throw notFound(noun)
  return row
}
