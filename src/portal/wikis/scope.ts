/** The pages of wikis, of projects and of groups: their addresses. */

import type { TProperties } from 'typebox'
import { type Wiki, wikiOfGroup, wikiOfProject } from '../../collaboration/wikis/repository.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { withoutEndingSlashes } from '../../platform/patterns/slashes.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { InEither } from '../places/planning.ts'

/** What every page of a wiki knows. */
export interface InWikiPlace extends InEither {
  readonly wiki: Wiki
}

/** With the page that its address names, whether there is one or not. */
export interface InOnePage extends InWikiPlace {
  readonly slug: string
}

export const inProjectWikiPlace = within(inProjectPage, {
  name: 'inProjectPage',
  path: {},
  load: async ({ project }) => ({ wiki: wikiOfProject(project) }),
})

export const inGroupWikiPlace = within(inGroupPage, {
  name: 'inGroupPage',
  path: {},
  load: async ({ group }) => ({ wiki: wikiOfGroup(group) }),
})

/** A page in one segment of an address: `guides%2FFirst-steps`. */
export const inOnePage = <S extends InWikiPlace, P extends TProperties>(scope: Scope<S, P>) =>
  within(scope, {
    name: `${scope.name}OfWiki`,
    path: { slug: text('Slug of a page, URL-encoded where it has folders', { maxLength: 4096 }) },
    load: async (_ctx, { slug }) => ({ slug }),
  })

/** A page or file by its path in the wiki. */
export const inWikiPath = <S extends InWikiPlace, P extends TProperties>(scope: Scope<S, P>) =>
  within(scope, {
    name: `${scope.name}OfWikiPath`,
    path: { wiki_path: text('Slug of a page, or path of a file', { maxLength: 4096 }) },
    load: async (_ctx, { wiki_path }) => ({ slug: withoutEndingSlashes(wiki_path) }),
  })
