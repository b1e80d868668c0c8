import type { TProperties } from 'typebox'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { type Wiki, wikiOfGroup, wikiOfProject } from './repository.ts'

/** What a scope of wikis gives. */
export interface InWiki {
  readonly wiki: Wiki
}

export const inProjectWiki = within(inProject, {
  name: 'inProjectWiki',
  path: {},
  load: async ({ project }) => ({ wiki: wikiOfProject(project) }),
})

export const inGroupWiki = within(inGroup, {
  name: 'inGroupWiki',
  path: {},
  load: async ({ group }) => ({ wiki: wikiOfGroup(group) }),
})

/** A page of a wiki by its slug. Whether there is one depends on the version, and is found by what is done with it. */
export const inWikiPage = <S extends InWiki, P extends TProperties>(scope: Scope<S, P>) =>
  within(scope, {
    name: `${scope.name}Page`,
    path: { slug: text('Slug of a page, URL-encoded where it has folders: `guides%2FFirst-steps`') },
    load: async (_ctx, { slug }) => ({ slug }),
  })
